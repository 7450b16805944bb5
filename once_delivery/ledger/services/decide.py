"""What a person may decide about an action that cannot go on by itself. Guarded by the revision they saw."""

from __future__ import annotations

from django.db import connection, transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.evidence import load
from once_delivery.ledger.intent.originals import earlier_versions_of, pass_on
from once_delivery.ledger.intent.supersede import supersede_overtaken
from once_delivery.ledger.models import Action, Condition, Observation
from once_delivery.ledger.states import OPEN_QUESTIONS, NextStep, State
from once_delivery.ledger.transitions import Actor, Move, move, note, reschedule
from once_delivery.ledger.trust import is_result_id
from once_delivery.targets.base import Presence
from once_delivery.targets.updating import CHANGED


class ChangedMeanwhileError(DomainError):
    """Somebody or something was faster."""

    code = "changed-meanwhile"
    template = gettext_noop("This action has changed since you looked at it; look again.")


class NeedsSecondPersonError(DomainError):
    """Performing again on a bare word could make a second object."""

    code = "needs-second-person"
    template = gettext_noop(
        "“Not there” needs a complete look-up after the settle time, or a second person who agrees."
    )


class DecisionDoesNotFitError(DomainError):
    """Not a decision for an action in this state."""

    code = "decision-does-not-fit"
    template = gettext_noop("This cannot be decided while the action is “%(state)s”.")


class BadResultIdError(DomainError):
    """Not an ID that a target gives."""

    code = "bad-result-id"
    template = gettext_noop(
        "This is no result ID: it is empty, too long, or has characters that cannot be stored."
    )


class ResultTakenError(DomainError):
    """One object is the result of one action."""

    code = "result-taken"
    template = gettext_noop("“%(result_id)s” is the result of %(task)s already.")


def adopt(*, action: Action, result_id: str, result_url: str = "", user: User) -> None:
    """Afterwards the action is confirmed with the object that the person chose.

    Raises DecisionDoesNotFitError, BadResultIdError, ResultTakenError (R6), ChangedMeanwhileError.
    """
    _must_be(action, State.UNCERTAIN, State.RECONCILE, State.REFUSED)
    if not is_result_id(result_id):
        raise BadResultIdError
    with transaction.atomic():
        _one_at_a_time(action, result_id)
        _must_be_free(action, result_id)
        _decided(
            action,
            user,
            to=State.CONFIRMED,
            reason="adopted",
            result_id=result_id,
            result_url=result_url,
            # choosing one of two takes none away: the target holds both until it was counted again
            presence=Presence.DUPLICATE if action.presence == Presence.DUPLICATE else Presence.UNCHECKED,
        )


def _one_at_a_time(action: Action, result_id: str) -> None:
    """Whoever else would give the same object to another action waits to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, %s))", [result_id, action.target_id]
        )


def _must_be_free(action: Action, result_id: str) -> None:
    holder = (
        Action.objects.filter(
            target=action.target_id, kind=action.kind, result_id=result_id, state=State.CONFIRMED
        )
        .exclude(pk__in=earlier_versions_of(action))  # one object, through all its versions
        .select_related("task__product", "task__input_version")
        .first()
    )
    if holder is not None:
        raise ResultTakenError(result_id=result_id, task=str(holder.task))


def overwrite(*, action: Action, user: User) -> None:
    """Afterwards the update is due for the draft as the latest look showed it, whoever changed it since.

    Raises DecisionDoesNotFitError when no look showed such a draft, ChangedMeanwhileError. The target's own check still
    refuses it when the draft changes once more.
    """
    _must_be(action, State.RECONCILE, *([State.PLANNED] if action.next_step == NextStep.PERSON else []))
    seen = Observation.objects.filter(action=action).order_by("-looked_at", "-pk").first()
    shown = seen.candidates[0] if seen is not None and seen.code == CHANGED and seen.candidates else {}
    version = shown.get("version", "")
    if action.original_id is None or not version:
        raise DecisionDoesNotFitError(state=action.get_state_display())
    if action.state == State.PLANNED:
        _plan_overwriting(action, version, user)
        return
    _decided(
        action,
        user,
        to=State.PLANNED,
        reason="overwritten",
        next_step=NextStep.PERFORM,
        next_step_at=database_now(),
        new_key=True,  # under the old one the target would answer as before, or call it other content
        base_version=version,
        data={"version": version},
    )


def _plan_overwriting(action: Action, version: str, user: User) -> None:
    with transaction.atomic():
        due = reschedule(
            action_id=action.pk,
            revision=action.revision,
            next_step=NextStep.PERFORM,
            at=database_now(),
            reason="overwritten",
        )
        if not due:
            raise ChangedMeanwhileError
        Action.objects.filter(pk=action.pk).update(base_version=version)
        note(
            action_id=action.pk,
            project_id=action.project_id,
            kind="decided",
            reason="overwritten",
            actor=Actor(f"user:{user.username}", user.pk),
            data={"version": version},
        )


def give_up(*, action: Action, user: User) -> None:
    """Afterwards the action is cancelled, and what needed its result waits for a person. Raises ChangedMeanwhileError."""
    _must_be(action, State.RECONCILE, State.PLANNED, State.REFUSED)
    with transaction.atomic():
        _decided(action, user, to=State.CANCELLED, reason="given-up")
        pass_on([action.pk])
        dependents = Action.objects.filter(
            needs__needs=action, needs__condition=Condition.RESULT, state__in=[State.PLANNED, State.REFUSED]
        )
        for dependent in dependents:
            reschedule(
                action_id=dependent.pk,
                revision=dependent.revision,
                next_step=NextStep.PERSON,
                at=database_now(),
                reason="need-given-up",
            )


def declare_absent(*, action: Action, user: User, second: User | None = None) -> None:
    """Afterwards the action is planned again and will be performed, or superseded when a newer version waits for it.

    Raises NeedsSecondPersonError without fresh evidence or another person, ChangedMeanwhileError.
    """
    _must_be(action, State.UNCERTAIN, State.RECONCILE)
    if not (_freshly_absent(action) or (second is not None and second.pk != user.pk)):
        raise NeedsSecondPersonError
    data = {"second": second.username} if second else {}
    with transaction.atomic():
        _decided(
            action,
            user,
            to=State.PLANNED,
            reason="declared-absent",
            next_step=NextStep.PERFORM,
            next_step_at=database_now(),
            new_key=True,
            data=data,
        )
        supersede_overtaken(action_ids=[action.pk], actor=Actor(f"user:{user.username}", user.pk))


def look_again(*, action: Action) -> None:
    """Afterwards a look-up is due now. Raises DecisionDoesNotFitError for what made nothing, ChangedMeanwhileError."""
    _must_be(action, *sorted(OPEN_QUESTIONS), State.ACCEPTED)
    if not reschedule(
        action_id=action.pk, revision=action.revision, next_step=NextStep.LOOK_UP, at=database_now()
    ):
        raise ChangedMeanwhileError


def retry_refused(*, action: Action) -> None:
    """Afterwards what was refused, or could not be sent by our own fault, is due again. Raises ChangedMeanwhileError."""
    _must_be(action, State.REFUSED, *([State.PLANNED] if action.next_step == NextStep.PERSON else []))
    if not reschedule(
        action_id=action.pk,
        revision=action.revision,
        next_step=NextStep.PERFORM,
        at=database_now(),
        reason="retry-allowed",
    ):
        raise ChangedMeanwhileError


def _decided(action: Action, user: User, **values: object) -> None:
    one = Move(
        action_id=action.pk,
        source=State(action.state),
        revision=action.revision,
        **values,  # type: ignore[arg-type]
    )
    with transaction.atomic():
        if not move([one], actor=Actor(f"user:{user.username}", user.pk)):
            raise ChangedMeanwhileError


def _must_be(action: Action, *states: State) -> None:
    if action.state not in states:
        raise DecisionDoesNotFitError(state=action.get_state_display())


def _freshly_absent(action: Action) -> bool:
    """The latest look since the last attempt proved it, by the rules that the program itself obeys (R5)."""
    seen = load([action.pk])[action.pk].evidence.seen
    return bool(seen) and seen[-1].proves_absence
