"""Keep what providers told of attempts: each request once, and better when it is told better."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from billing.among import Among
from billing.models import Usage
from billing.services.release_accrual import release_accrual
from billing.suppliers.accruals import accruals_of
from billing.suppliers.told import Told
from once_delivery.accounts.models import Project

_SAME = tuple(field.name for field in fields(Told) if field.name not in {"attempt_id", "task_id"})


@dataclass(frozen=True, slots=True)
class Learned:
    """``new`` requests, and ``better`` ones that take the place of what was told before."""

    new: int
    better: int


def learn_usage(*, project: Project, told: Iterable[Told], actor: str) -> Learned:
    """Afterwards each request of ``told`` has one row that counts; what says nothing new adds none.

    A row that was told better is marked, and its accrual released: the better one is accrued by ``price_usage``. What
    the supplier's line has settled already stays. Call it in a transaction, under the project's lock.
    """
    asked = list({one.source_key: one for one in told}.values())
    known = _known(project, asked)
    fresh: list[Told] = []
    replaced: list[Usage] = []
    for one in asked:
        before = known.get(one.identity) if one.identity[2] else None
        if before is not None and not isinstance(before, Told):
            if before.settled or not one.says_more_than(told_by(before)):
                continue
            replaced.append(before)
        elif before is not None:
            if not one.says_more_than(before):
                continue
            fresh.remove(before)
        fresh.append(one)
        known[one.identity] = one
    Usage.objects.filter(Among("pk", [one.pk for one in replaced])).update(replaced=True)
    release_accrual(accruals=accruals_of(project_id=project.pk, usages=replaced), actor=actor)
    made = Usage.objects.bulk_create([_row(project, one) for one in fresh], ignore_conflicts=True)
    return Learned(new=len(made) - len(replaced), better=len(replaced))


def told_by(usage: Usage) -> Told:
    """A row as what was told."""
    return Told(
        attempt_id=usage.attempt_id,
        task_id=usage.task_id,
        **{name: getattr(usage, name) for name in _SAME},
    )


def _known(project: Project, told: list[Told]) -> dict[tuple[int, str, str], Usage | Told]:
    attempts = {one.attempt_id for one in told}
    rows = Usage.objects.filter(Among("attempt", attempts), project=project, replaced=False).order_by("pk")
    return {told_by(row).identity: row for row in rows}


def _row(project: Project, one: Told) -> Usage:
    return Usage(
        project=project,
        attempt_id=one.attempt_id,
        task_id=one.task_id,
        **{name: getattr(one, name) for name in _SAME},
    )
