"""Keep what providers told of attempts: each request once, and better when it is told better."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from datetime import date

from billing.among import Among
from billing.models import Usage
from billing.months import day_at, month_of
from billing.services.release_accrual import release_accrual
from billing.suppliers.accruals import accruals_of
from billing.suppliers.told import Told
from once_delivery.accounts.models import Project

_SAME = tuple(field.name for field in fields(Told) if field.name not in {"attempt_id", "task_id"})


@dataclass(frozen=True, slots=True)
class Learned:
    """``new`` requests, and how many rows ``better`` ones took the place of."""

    new: int
    better: int


def learn_usage(
    *, project: Project, told: Iterable[Told], actor: str, held: frozenset[date] = frozenset()
) -> Learned:
    """Afterwards each request of ``told``, oldest first, has one row that counts: what was told of it last.

    What says nothing new adds none, and what was learned once, whatever became of it, is never learned again. A row
    that was told better is marked, and its accrual released: the better one is accrued by ``price_usage``. What the
    supplier's line has settled already stays, and so does what was used in a month of ``held``: the better one is left
    to the call after the hold. Call it in a transaction, under the project's lock.
    """
    asked = list({one.source_key: one for one in told}.values())
    heard = _heard(project, asked)
    work = _Learning(project, held, {one.source_key: at for at, one in enumerate(asked)})
    work.remember(_counting(project, asked))
    for one in asked:
        if one.source_key not in heard:
            work.learn(one)
    fresh = [one for kept in work.kept.values() for one in kept if one.row is None]
    replaced = work.replaced
    Usage.objects.filter(Among("pk", [row.pk for row in replaced])).update(replaced=True)
    release_accrual(accruals=accruals_of(project_id=project.pk, usages=replaced), actor=actor)
    rows = [_row(project, one.told) for one in fresh]
    Usage.objects.bulk_create(rows + [_row(project, one, replaced=True) for one in work.repeated])
    return Learned(new=sum(not one.better for one in fresh), better=len(replaced))


def told_by(usage: Usage) -> Told:
    """A row as what was told."""
    return Told(
        attempt_id=usage.attempt_id,
        task_id=usage.task_id,
        **{name: getattr(usage, name) for name in _SAME},
    )


@dataclass(slots=True, eq=False)
class _Kept:
    """What counts of a request by now; without a ``row`` it will have one. ``better``: it takes the place of a row.

    ``said``: as it was told, where ``told`` has IDs from before as well.
    """

    told: Told
    row: Usage | None = None
    better: bool = False
    said: Told | None = None

    @property
    def settled(self) -> bool:
        return self.row is not None and self.row.settled


@dataclass(slots=True)
class _Learning:
    """``places``: source → its place in the order of telling. ``repeated``: told again under no job of its own."""

    project: Project
    held: frozenset[date]
    places: dict[str, int]
    kept: dict[tuple[int, str], list[_Kept]] = field(default_factory=lambda: defaultdict(list))
    replaced: list[Usage] = field(default_factory=list)
    repeated: list[Told] = field(default_factory=list)

    def remember(self, rows: Iterable[Usage]) -> None:
        for row in rows:
            self.kept[row.attempt_id, row.provider].append(_Kept(told_by(row), row))

    def learn(self, one: Told) -> None:
        kept = self.kept[one.attempt_id, one.provider]
        same = _same(one, kept)
        if not same:
            kept.append(_Kept(one))
        elif any(self._on_hold(before) for before in same):
            return  # to be learned after the hold, in the order of telling
        elif any(before.settled for before in same) or not self._better(one, same):
            self._repeat(one, same[0].told)
        else:
            kept[:] = [before for before in kept if before not in same]
            kept.append(self._instead(one, same))

    def _better(self, one: Told, same: list[_Kept]) -> bool:
        later = all(self._rank(one) > self._rank(before.told) for before in same)
        return later and any(one.says_another(before.told) for before in same)

    def _rank(self, one: Told) -> tuple[tuple[int, bool], int]:
        """What is not among ``places`` was told before all that is."""
        return one.worth, self.places.get(one.source_key, -1)

    def _on_hold(self, before: _Kept) -> bool:
        return before.row is not None and month_of(day_at(self.project, before.told.used_at)) in self.held

    def _repeat(self, one: Told, by: Told) -> None:
        # a job stays with its request; without one it might be another request once this one is corrected
        if not one.job_id or one.job_id != by.job_id:
            self.repeated.append(one)

    def _instead(self, one: Told, same: list[_Kept]) -> _Kept:
        made = one
        for before in same:
            made = made.with_names_of(before.told)
            if before.row is not None:
                self.replaced.append(before.row)
            else:
                self._repeat(before.said or before.told, made)
        if not one.worth[1]:  # a supplier says itself when; of others it was told first when it was used
            made = replace(made, used_at=same[0].told.used_at)
        better = any(before.better or before.row is not None for before in same)
        return _Kept(made, better=better, said=one)


def _same(one: Told, kept: list[_Kept]) -> list[_Kept]:
    """Of what is kept of an attempt: what has the job, and what has the request, of ``one``; else what reads like it."""
    named = [before for before in kept if one.named_as(before.told)]
    jobs = [before for before in named if one.job_id and before.told.job_id]
    requests = [before for before in named if before not in jobs]
    if named:
        return jobs[:1] + requests[:1]
    alike = (before for before in kept if one.named_as(before.told) is None and one.told_alike(before.told))
    return list(alike)[:1]


def _heard(project: Project, told: list[Told]) -> set[str]:
    keys = [one.source_key for one in told]
    return set(
        Usage.objects.filter(Among("source_key", keys), project=project).values_list("source_key", flat=True)
    )


def _counting(project: Project, told: list[Told]) -> Iterable[Usage]:
    attempts = {one.attempt_id for one in told}
    return Usage.objects.filter(Among("attempt", attempts), project=project, replaced=False).order_by("pk")


def _row(project: Project, one: Told, *, replaced: bool = False) -> Usage:
    return Usage(
        project=project,
        attempt_id=one.attempt_id,
        task_id=one.task_id,
        replaced=replaced,
        **{name: getattr(one, name) for name in _SAME},
    )
