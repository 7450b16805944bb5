"""The few words under a state: the one thing that is worth knowing about it at a glance."""

from __future__ import annotations

from collections.abc import Callable

from django.utils import timezone
from django.utils.translation import gettext as _

from once_delivery.ledger.models import Action
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Presence
from once_delivery.ui.templatetags.ui import short_time
from once_delivery.web.wording import PRESENCES

LONG_ID = 18
GONE = frozenset({Presence.DUPLICATE, Presence.TRASHED, Presence.MISSING, Presence.CHANGED})


def note_of(action: Action, *, owner: str) -> str:
    """The words for one action; ``owner`` decides its case when it has one."""
    if owner:
        return _("with %(owner)s") % {"owner": owner}
    return _BY_STATE[State(action.state)](action)


def short_id(value: str) -> str:
    """An ID cut in the middle."""
    return value if len(value) <= LONG_ID else f"{value[:8]}…{value[-6:]}"


def _confirmed(action: Action) -> str:
    if action.presence in GONE:
        return str(PRESENCES[action.presence])
    return _("ID %(id)s") % {"id": short_id(action.result_id)}


def _accepted(action: Action) -> str:
    return _("job %(id)s") % {"id": short_id(action.result_id)}


def _since(action: Action) -> str:
    return _("since %(time)s") % {"time": short_time(timezone.localtime(action.state_since))}


def _planned(action: Action) -> str:
    if action.next_step == NextStep.PERSON:
        return _("a person decides")
    return _("proven absent") if action.sends > action.releases else _("never sent")


def _nothing(action: Action) -> str:
    return ""


_BY_STATE: dict[State, Callable[[Action], str]] = {
    State.CONFIRMED: _confirmed,
    State.ACCEPTED: _accepted,
    State.UNCERTAIN: _since,
    State.SENDING: _since,
    State.RECONCILE: _since,
    State.REFUSED: _since,
    State.PLANNED: _planned,
    State.SUPERSEDED: _nothing,
    State.CANCELLED: _nothing,
}
