"""What may be decided about a case, what it takes, and what it does. Pure but for reading the case's evidence."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Role
from once_delivery.ledger.evidence import load
from once_delivery.ledger.models import Action, Observation
from once_delivery.ledger.services.create_anew import original_is_gone
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Kind, Presence
from once_delivery.targets.updating import CHANGED
from reconciliation.models import Case, CaseKind, CaseStatus

DECIDERS = frozenset({Role.OPS_OWNER, Role.ADMIN})


class Decision(enum.StrEnum):
    """What may be decided."""

    ADOPT = "adopt"
    ABSENT = "absent"
    GIVE_UP = "give_up"
    RETRY = "retry"
    OVERWRITE = "overwrite"  # the new version takes the place of what an editor wrote meanwhile
    CREATE_ANEW = (
        "create_anew"  # the draft that was to be updated is gone: the new version makes one of its own
    )
    SETTLE = "settle"  # a duplicate has been dealt with at the target, which is counted again


class Needs(enum.StrEnum):
    """Whose agreement a decision needs, beside the ops owner's."""

    NOTHING = "nothing"
    SECOND = "second"  # another ops owner or admin: the bare word of one person never sends again (R4)
    CLIENT = "client"  # what costs the client, or changes what stands at the client's target


@dataclass(frozen=True, slots=True)
class Effect:
    """What a decision does, shown before it is made."""

    result: Promise
    cost: Promise
    units: Promise
    undo: Promise


_UNTIL_SENT = _("Until it is sent, for ten minutes at most.")
EFFECTS: Mapping[Decision, Effect] = {
    Decision.ADOPT: Effect(
        _("The chosen object becomes the result of this task. Nothing is sent."),
        _("No new request, no new cost."),
        _("It can be reviewed, and counts once when it is accepted."),
        _("No: a confirmed result stays for ever."),
    ),
    Decision.ABSENT: Effect(
        _("One request is sent; its object becomes the result."),
        _(
            "One more request at the target. Should the first one have been carried out after all, both are paid."
        ),
        _("It counts once when it is accepted; a second object would be a duplicate and never count."),
        _("No: what is taken for not there is sent at once."),
    ),
    Decision.GIVE_UP: Effect(
        _("The task is closed without a result. What needs its result waits for a person."),
        _("No new request. What the first request cost stays."),
        _("It never counts."),
        _("No: it is closed for good. A new input version asks for it anew."),
    ),
    Decision.RETRY: Effect(
        _("What the target refused is sent once more."),
        _("One more request at the target."),
        _("It counts once when it is accepted."),
        _UNTIL_SENT,
    ),
    Decision.OVERWRITE: Effect(
        _("The new version takes the place of what an editor wrote at the target."),
        _("One request; no new object."),
        _("The same object; what was accepted before must be accepted anew."),
        _("No: what an editor wrote is gone once it is sent."),
    ),
    Decision.CREATE_ANEW: Effect(
        _("One request is sent; it makes a draft of its own. What is gone stays gone."),
        _("One more request at the target, and one more object there."),
        _("It counts once when it is accepted; the earlier version's result is no longer at the target."),
        _("No: it is sent at once."),
    ),
    Decision.SETTLE: Effect(
        _("The target is counted again. If two are still there, the case comes back."),
        _("Read only."),
        _("The duplicate never counted; nothing changes."),
        _("Until the target has been counted again."),
    ),
}


def possible(case: Case) -> list[Decision]:
    """What fits the case as it stands, the most usual first; nothing for one that is resolved."""
    if case.status != CaseStatus.OPEN or case.kind == CaseKind.HELD:
        return []  # held: nothing is wrong with the action; the target is probed again, or its guard is changed
    action = case.action
    if action.presence == Presence.DUPLICATE and action.state == State.CONFIRMED:
        return [Decision.SETTLE]
    return _of_action(action)


def _of_action(action: Action) -> list[Decision]:
    if original_is_gone(action):
        return [Decision.CREATE_ANEW, Decision.ADOPT, Decision.GIVE_UP]
    match action.state:
        case State.RECONCILE | State.UNCERTAIN:
            overwritable = [Decision.OVERWRITE] if _was_changed(action) else []
            give_up = [Decision.GIVE_UP] if action.state == State.RECONCILE else []
            return [Decision.ADOPT, *overwritable, Decision.ABSENT, *give_up]
        case State.REFUSED:
            return [Decision.RETRY, Decision.ADOPT, Decision.GIVE_UP]
        case State.PLANNED if action.next_step == NextStep.PERSON:
            return [Decision.OVERWRITE if _was_changed(action) else Decision.RETRY, Decision.GIVE_UP]
        case _:
            return []


def needs_of(case: Case, decision: Decision) -> Needs:
    """Whose agreement ``decision`` needs for this case, by the evidence of now."""
    if decision in {Decision.OVERWRITE, Decision.CREATE_ANEW} or decision in case.project.needs_client:
        return Needs.CLIENT
    if decision == Decision.ABSENT and not absence_is_proven(case.action):
        return Needs.CLIENT if case.action.kind == Kind.START_JOB else Needs.SECOND
    if decision == Decision.RETRY and case.action.reason == "job-failed":
        return Needs.CLIENT  # a second job may cost a second time
    return Needs.NOTHING


def absence_is_proven(action: Action) -> bool:
    """The latest look since the last attempt proved it, by the rules that the program itself obeys (R5)."""
    seen = load([action.pk])[action.pk].evidence.seen
    return bool(seen) and seen[-1].proves_absence


def latest_evidence(case: Case) -> int | None:
    """The latest look at the case's action: what whoever decides has been shown."""
    latest = Observation.objects.filter(action_id=case.action_id).order_by("-looked_at", "-pk")
    return latest.values_list("pk", flat=True).first()


def _was_changed(action: Action) -> bool:
    return action.original_id is not None and action.reason == CHANGED
