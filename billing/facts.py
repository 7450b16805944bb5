"""Reads the facts that causes follow from (``fault.py``), for many tasks at once: a few queries whatever their number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef, Q

from billing.causes import causes_of
from billing.fault import Deed, Opinion, Send, TaskFacts
from billing.models import Cause, Judgement
from once_delivery.ledger.models import Action, Attempt, Receipt, Task
from once_delivery.ledger.states import OPEN_QUESTIONS, State
from once_delivery.review.models import Asset, Review, Verdict
from once_delivery.targets.base import Outcome
from reconciliation.decisions import Decision
from reconciliation.models import Approval, ApprovalStatus

_NOTHING_CAME = frozenset({Outcome.REFUSED, Outcome.NOT_DONE, Outcome.NOT_SENT})
_AGREES_TO_MORE = (Decision.ABSENT, Decision.RETRY, Decision.CREATE_ANEW, Decision.GIVE_UP)


@dataclass(slots=True)
class _Gathered:
    sends: list[Send] = field(default_factory=list)
    deeds: dict[int, Deed] = field(default_factory=dict)
    opinions: list[Opinion] = field(default_factory=list)
    judged_sends: dict[int, Cause] = field(default_factory=dict)


def facts_of(task_ids: Collection[int]) -> dict[int, TaskFacts]:
    """The facts of each task, by its ID."""
    gathered: dict[int, _Gathered] = {task_id: _Gathered() for task_id in task_ids}
    _deeds_and_sends(gathered)
    _opinions(gathered)
    judged = _judged(gathered)
    overtaken, repeats = _overtaken(task_ids), _repeats(task_ids)
    duplicates = _duplicates(task_ids)
    return {
        task_id: TaskFacts(
            sends=tuple(one.sends),
            deeds=one.deeds,
            opinions=tuple(one.opinions),
            same_input=task_id in repeats,
            superseded=task_id in overtaken,
            duplicate=duplicates.get(task_id),
            judged=judged.get(task_id),
            judged_sends=one.judged_sends,
        )
        for task_id, one in gathered.items()
    }


def _deeds_and_sends(gathered: dict[int, _Gathered]) -> None:
    actions = {
        one.pk: one for one in Action.objects.filter(task__in=gathered).only("task_id", "state", "result_id")
    }
    agreed = set(
        Approval.objects.filter(
            case__action__in=actions,
            by_client=True,
            status=ApprovalStatus.GIVEN,
            decision__in=_AGREES_TO_MORE,
        ).values_list("case__action_id", flat=True)
    )
    for action in actions.values():
        gathered[action.task_id].deeds[action.pk] = Deed(
            open_question=action.state in OPEN_QUESTIONS or action.state == State.SENDING,
            given_up=action.state == State.CANCELLED,
            client_agreed=action.pk in agreed,
        )
    sent: dict[int, list[Attempt]] = defaultdict(list)
    for attempt in Attempt.objects.filter(action__in=actions).order_by("intended_at", "pk"):
        sent[attempt.action_id].append(attempt)
    answers = _answers(actions)
    for action_id, attempts in sent.items():
        action = actions[action_id]
        adopted = _adopted(action, attempts, answers)
        gathered[action.task_id].sends += [
            Send(
                attempt_id=one.pk,
                action_id=action_id,
                at=one.intended_at,
                adopted=one.pk == adopted,
                failed=_failed(answers.get(one.pk, [])),
                lost=_lost(answers.get(one.pk, [])),
            )
            for one in attempts
        ]
    for one in gathered.values():
        one.sends.sort(key=lambda send: (send.at, send.attempt_id))


def _answers(actions: Collection[int]) -> dict[int, list[Receipt]]:
    answers: dict[int, list[Receipt]] = defaultdict(list)
    rows = (
        Receipt.objects.filter(action__in=actions).only("attempt_id", "outcome", "result_id").order_by("pk")
    )
    for receipt in rows:
        answers[receipt.attempt_id].append(receipt)
    return answers


def _adopted(action: Action, attempts: list[Attempt], answers: dict[int, list[Receipt]]) -> int | None:
    """The attempt whose result the action's is: who was answered so, else the last that may have made it."""
    if action.state not in {State.CONFIRMED, State.ACCEPTED}:
        return None
    for one in attempts:
        if any(receipt.result_id == action.result_id for receipt in answers.get(one.pk, [])):
            return one.pk
    possible = [one.pk for one in attempts if not _failed(answers.get(one.pk, []))]
    return possible[-1] if possible else None


def _failed(answers: list[Receipt]) -> bool:
    return bool(answers) and all(one.outcome in _NOTHING_CAME for one in answers)


def _lost(answers: list[Receipt]) -> bool:
    """No answer, or none that is definite."""
    return all(one.outcome == Outcome.UNKNOWN for one in answers)


def _opinions(gathered: dict[int, _Gathered]) -> None:
    rows = Review.objects.filter(task__in=gathered).order_by("at", "pk")
    for task_id, at, verdict, reasons in rows.values_list("task_id", "at", "verdict", "reasons"):
        opinions = gathered[task_id].opinions
        if verdict != Verdict.WITHDRAWN:
            opinions.append(Opinion(at=at, verdict=verdict, reasons=tuple(reasons)))
        elif opinions:
            opinions.pop()


def _judged(gathered: dict[int, _Gathered]) -> dict[int, Cause]:
    """Of whole tasks; those of single attempts are put where they belong. The latest holds."""
    judged: dict[int, Cause] = {}
    rows = Judgement.objects.filter(Q(task__in=gathered) | Q(attempt__action__task__in=gathered)).order_by(
        "pk"
    )
    for task_id, attempt_id, of, cause in rows.values_list(
        "task_id", "attempt_id", "attempt__action__task_id", "cause"
    ):
        if task_id is not None:
            judged[task_id] = Cause(cause)
        else:
            gathered[of].judged_sends[attempt_id] = Cause(cause)
    return judged


def _overtaken(task_ids: Collection[int]) -> set[int]:
    """Tasks of which a newer input version was asked for before anything of them was accepted."""
    newer = Task.objects.filter(
        product=OuterRef("product"),
        locale=OuterRef("locale"),
        purpose=OuterRef("purpose"),
        input_version__number__gt=OuterRef("input_version__number"),
    )
    accepted = Asset.objects.filter(task=OuterRef("pk"))
    rows = Task.objects.filter(Exists(newer), ~Exists(accepted), pk__in=task_ids)
    return set(rows.values_list("pk", flat=True))


def _repeats(task_ids: Collection[int]) -> set[int]:
    """Tasks whose brief is that of an earlier task of the same product, locale and purpose, word for word."""
    earlier = Task.objects.filter(
        product=OuterRef("product"),
        locale=OuterRef("locale"),
        purpose=OuterRef("purpose"),
        input_version__fingerprint=OuterRef("input_version__fingerprint"),
        input_version__number__lt=OuterRef("input_version__number"),
    )
    return set(Task.objects.filter(Exists(earlier), pk__in=task_ids).values_list("pk", flat=True))


def _duplicates(task_ids: Collection[int]) -> dict[int, Cause]:
    """The cause of each task whose asset was found to be a duplicate, or is a variant that the client wanted."""
    assets = Asset.objects.filter(task__in=task_ids)
    causes = causes_of(assets)
    tasks = assets.filter(pk__in=causes).order_by("pk").values_list("pk", "task_id")
    return {task_id: causes[pk] for pk, task_id in tasks}
