"""The database was restored from a backup: say so, and later that it is over (DESIGN section 10)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action, Restoration
from once_delivery.ledger.services.decide import ChangedMeanwhileError, look_again
from once_delivery.ledger.services.doubt import doubt_all
from once_delivery.ledger.states import State
from once_delivery.ledger.transitions import Actor


class BackupOfTheFutureError(DomainError):
    """A backup lies behind us."""

    code = "backup-of-the-future"
    template = gettext_noop("The backup cannot have been made at %(since)s: that is still to come.")


@dataclass(frozen=True, slots=True)
class Opened:
    """``doubted``: actions that became uncertain, or whose earlier evidence counts no more. ``asked``: cases looked at anew."""

    restoration: Restoration
    new: bool
    doubted: int = 0
    asked: int = 0


def open_restoration(*, since: datetime, actor: Actor) -> Opened:
    """Afterwards nothing that may have been sent after ``since`` is sent before the target was asked.

    May be run any number of times, and by several at once: what was begun is finished, and nothing is done twice. One that
    was ended stays so. Raises BackupOfTheFutureError.
    """
    if since > database_now():
        raise BackupOfTheFutureError(since=since.isoformat())
    restoration, new = _written(since, actor)
    if restoration.ended_at is not None:
        return Opened(restoration, new=False)
    return Opened(
        restoration, new=new, doubted=doubt_all(actor=actor), asked=_look_at_cases(restoration.opened_at)
    )


def _written(since: datetime, actor: Actor) -> tuple[Restoration, bool]:
    """Committed before anything is doubted: who claims from then on sees it."""
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_restoration (since, opened_at, opened_by, ended_by)
               VALUES (%s, clock_timestamp(), %s, '') ON CONFLICT (since) DO NOTHING""",
            [since, actor.name],
        )
        new = cursor.rowcount == 1
    return Restoration.objects.get(since=since), new


def _look_at_cases(since: datetime) -> int:
    """What waits for a person is looked at anew, so that they decide by what is there now; returns how many."""
    waiting = Action.objects.filter(state=State.RECONCILE).exclude(observations__looked_at__gte=since)
    asked = 0
    for action in waiting.select_related("target").only("pk", "state", "revision", "target"):
        if not _can_be_asked(action):
            continue
        with suppress(ChangedMeanwhileError):  # decided, or found, by another at this moment
            look_again(action=action)
            asked += 1
    return asked


def _can_be_asked(action: Action) -> bool:
    try:
        return action.target.profile.look_up
    except DomainError:  # it stays with the person
        return False


def end_restorations(*, actor: Actor, since: datetime | None = None) -> list[Restoration]:
    """Afterwards what is asked for from now on is performed at once; returns those that this ended.

    What was asked for before is still looked for first, whenever its turn comes. ``since``: this one alone.
    """
    with transaction.atomic():
        found = Restoration.objects.select_for_update().filter(ended_at__isnull=True)
        ended = list(found.filter(since=since) if since is not None else found)
        for one in ended:
            one.ended_at, one.ended_by = database_now(), actor.name
            one.save(update_fields=["ended_at", "ended_by"])
    return ended
