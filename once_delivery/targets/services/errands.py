"""Work at a target that a person asks for on a page and a worker does: asked for once, taken once, never lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, connection, transaction

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.common.work_lock import Work, at_work, is_at_work
from once_delivery.targets.models import Errand, ErrandKind, ErrandStatus, Target
from once_delivery.targets.probe_notebook import database_now

OPEN = (ErrandStatus.ASKED, ErrandStatus.RUNNING)
WAKE_AGAIN_S = 30.0
_INTERRUPTED = {"code": "interrupted", "template": "", "params": {}}


def ask_errand(
    *, target: Target, kind: ErrandKind, user: User | None, options: Mapping[str, Any] | None = None
) -> tuple[Errand, bool]:
    """The errand, and whether it is new: while one of the kind is open, asking again is the same one."""
    now = database_now()
    try:
        with transaction.atomic():
            made = Errand.objects.create(
                target=target,
                kind=kind,
                options=dict(options or {}),
                asked_by=user,
                asked_at=now,
                woken_at=now,
            )
    except IntegrityError:
        standing = Errand.objects.filter(target=target, kind=kind, status__in=OPEN).first()
        if standing is None:  # it ended between the two
            return ask_errand(target=target, kind=kind, user=user, options=options)
        return standing, False
    return made, True


@contextmanager
def taken(errand_id: int) -> Iterator[Errand | None]:
    """The errand, for whoever is first; None for everybody else. At the end it is done, or not done with its reason.

    A DomainError inside is kept as that reason and goes no further.
    """
    with at_work(Work.ERRAND, errand_id) as mine:
        found = _take(errand_id) if mine else None
        if found is None:
            yield None
            return
        status, trouble = ErrandStatus.FAILED, _INTERRUPTED
        try:
            yield found
            status, trouble = ErrandStatus.DONE, {}
        except DomainError as error:
            trouble = as_trouble(error)
        finally:
            Errand.objects.filter(pk=errand_id).update(
                status=status, trouble=trouble, result=found.result, ended_at=database_now()
            )


def _take(errand_id: int) -> Errand | None:
    won = Errand.objects.filter(pk=errand_id, status=ErrandStatus.ASKED).update(
        status=ErrandStatus.RUNNING, taken_at=database_now()
    )
    return Errand.objects.select_related("target", "asked_by").get(pk=errand_id) if won else None


def as_trouble(error: DomainError) -> dict[str, Any]:
    """An error as it is kept, so that it can be said in any reader's language."""
    problems = getattr(error, "problems", ())
    if problems:
        one = problems[0]
        return {"code": one.code, "template": str(one.template), "params": _plain(one.params)}
    return {"code": error.code, "template": str(error.template), "params": _plain(error.params)}


def _plain(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value if isinstance(value, int | float) else str(value) for name, value in params.items()}


def unattended(kinds: tuple[ErrandKind, ...]) -> list[int]:
    """Errands that no worker has taken although it was told: their message was lost. Marked as told again.

    What a worker began and does not do any more (it was killed) is over, and says so.
    """
    for one in Errand.objects.filter(kind__in=kinds, status=ErrandStatus.RUNNING):
        if not is_at_work(Work.ERRAND, one.pk):
            Errand.objects.filter(pk=one.pk, status=ErrandStatus.RUNNING).update(
                status=ErrandStatus.FAILED, trouble=_INTERRUPTED, ended_at=database_now()
            )
    with connection.cursor() as cursor:
        cursor.execute(
            """UPDATE targets_errand SET woken_at = clock_timestamp()
               WHERE status = 'asked' AND kind = ANY(%s)
                 AND woken_at < clock_timestamp() - %s * interval '1 second' RETURNING id""",
            [[str(kind) for kind in kinds], WAKE_AGAIN_S],
        )
        return [row[0] for row in cursor.fetchall()]
