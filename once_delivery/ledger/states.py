"""The states of an action and the only arrows between them, as data (DESIGN section 4).

PostgreSQL enforces the same arrows (sql/rules.sql); a test compares the two, pair by pair.
"""

from __future__ import annotations

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class State(TextChoices):
    PLANNED = "planned", _("not executed")
    SENDING = "sending", _("sending")
    ACCEPTED = "accepted", _("accepted")
    CONFIRMED = "confirmed", _("confirmed")
    UNCERTAIN = "uncertain", _("uncertain")
    RECONCILE = "reconcile", _("to be reconciled")
    REFUSED = "refused", _("refused by the target")
    SUPERSEDED = "superseded", _("superseded by a newer version")
    CANCELLED = "cancelled", _("cancelled")


class NextStep(TextChoices):
    """What happens to the action next, at ``next_step_at`` or as soon as what it needs is there."""

    PERFORM = "perform", _("perform")
    REPLAY = "replay", _("send again under the target's protection")
    LOOK_UP = "look_up", _("look up")
    WAIT = "wait", _("wait for the sender")
    PERSON = "person", _("a person decides")
    NONE = "none", _("nothing")


ARROWS: dict[State, frozenset[State]] = {
    # planned -> confirmed | accepted is late truth (R8): an answer that arrives after absence was proven
    State.PLANNED: frozenset(
        {State.SENDING, State.SUPERSEDED, State.CANCELLED, State.CONFIRMED, State.ACCEPTED}
    ),
    # sending -> planned: the sender itself knows that not a byte left, or the target said "not processed"
    State.SENDING: frozenset(
        {State.PLANNED, State.ACCEPTED, State.CONFIRMED, State.REFUSED, State.UNCERTAIN}
    ),
    State.ACCEPTED: frozenset({State.CONFIRMED, State.REFUSED, State.UNCERTAIN}),
    State.CONFIRMED: frozenset(),
    State.UNCERTAIN: frozenset(
        {State.CONFIRMED, State.ACCEPTED, State.PLANNED, State.SENDING, State.RECONCILE}
    ),
    State.RECONCILE: frozenset({State.CONFIRMED, State.ACCEPTED, State.PLANNED, State.CANCELLED}),
    # refused -> confirmed | accepted is late truth of an earlier attempt
    State.REFUSED: frozenset(
        {State.SENDING, State.SUPERSEDED, State.CANCELLED, State.CONFIRMED, State.ACCEPTED}
    ),
    State.SUPERSEDED: frozenset(),
    State.CANCELLED: frozenset(),
}

# Only under the reasons of a restored database (restoring.py), and only where there is a restoration: what the ledger
# believes never to have been sent may have been sent after the backup
AFTER_A_RESTORE: frozenset[tuple[State, State]] = frozenset(
    {(State.PLANNED, State.UNCERTAIN), (State.REFUSED, State.UNCERTAIN)}
)

FINAL: frozenset[State] = frozenset({State.CONFIRMED, State.SUPERSEDED, State.CANCELLED})
# never counted as failed or as done, on any page, export or answer
OPEN_QUESTIONS: frozenset[State] = frozenset({State.UNCERTAIN, State.RECONCILE})


def may_go(*, source: State, to: State) -> bool:
    """Is there an arrow from ``source`` to ``to``?"""
    return to in ARROWS[source]
