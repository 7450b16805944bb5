"""What came of an attempt that was made under a permit. The caller reports, the rules decide (R3, R6, R8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger import permits, receipts
from once_delivery.ledger.claims import Claimed
from once_delivery.ledger.marker import idempotency_key_of
from once_delivery.ledger.models import Permit, PermitKind
from once_delivery.ledger.permits import Before, Held
from once_delivery.ledger.services.late_truth import keep_late_truth
from once_delivery.ledger.services.record_answers import record_new
from once_delivery.ledger.transitions import Actor, lock
from once_delivery.ledger.trust import trusted_answer
from once_delivery.targets import outcomes
from once_delivery.targets.base import Answer, EffectRequest, Kind, Outcome

_MADE_NOTHING = frozenset({Outcome.REFUSED, Outcome.NOT_DONE, Outcome.NOT_SENT})
_TELLS_NOTHING = frozenset({Outcome.UNKNOWN, Outcome.EXISTS})


class PermitDoesNotFitError(DomainError):
    """A permit to look up is no permit to perform, and the other way round."""

    code = "permit-does-not-fit"
    template = gettext_noop("This permit is to “%(kind)s”; another report is expected for it.")


class AlreadyReportedError(DomainError):
    """What was reported first stands; a later report may only bring a result, never take one back."""

    code = "already-reported"
    template = gettext_noop("“%(reported)s” was reported for this permit already.")


@dataclass(frozen=True, slots=True)
class Report:
    """What the holder says. ``http_status`` and ``marker`` as the target answered, None where it did not."""

    outcome: Outcome
    code: str = ""
    result_id: str = ""
    url: str = ""
    marker: str | None = None
    http_status: int | None = None
    retry_after_s: float | None = None
    detail: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settled:
    """``outcome`` is what the rules made of the report; ``late``: it came after the lease was over (it is kept)."""

    outcome: Outcome
    code: str
    late: bool = False
    repeated: bool = False


def settle_permit(*, permit: Permit, report: Report, actor: Actor) -> Settled:
    """Afterwards the report is a receipt of the attempt, and the action stands where it puts it.

    The same report again changes nothing. Raises PermitDoesNotFitError, AlreadyReportedError.
    """
    if permit.kind != PermitKind.PERFORM:
        raise PermitDoesNotFitError(kind=permit.get_kind_display())
    with transaction.atomic():
        lock([permit.action_id])
        held = permits.held_under(permit, result_id=storable(report.result_id))
        answer, before = _answer(held, report), held.before
        if before is not None and _is_repeated(before, answer):
            return Settled(before.outcome, before.code, late=before.late, repeated=True)
        if before is None:
            new = [(held.claimed, answer)]
            done = record_new(new, profile=held.profile, actor=actor, run_id=permit.run_id)
            late = held.claimed.token in done.late
        else:
            _record_after(before, held.claimed, answer, actor, permit.run_id)
            late = True
        permits.note_report(permit, str(answer.outcome))
    return Settled(answer.outcome, answer.code, late=late)


def _answer(held: Held, report: Report) -> Answer:
    claimed = held.claimed
    request = EffectRequest(
        kind=Kind(claimed.kind),
        marker=claimed.marker,
        client_id=str(claimed.client_id),
        idempotency_key=idempotency_key_of(claimed.marker, claimed.key_generation),
        payload={},
        deadline_s=held.profile.deadline_s,
    )
    answer = Answer(
        outcome=_outcome(report),
        code=report.code or f"reported-{report.outcome}",
        result_id=report.result_id,
        marker=report.marker,
        url=report.url,
        http_status=report.http_status,
        retry_after_s=report.retry_after_s,
        detail=report.detail,
        usage=report.usage,
    )
    kept = trusted_answer(request, answer)
    if kept.outcome in {Outcome.DONE, Outcome.ACCEPTED} and held.is_anothers:  # one is the result of one (R6)
        return replace(kept, outcome=Outcome.UNKNOWN, code="result-taken")
    return kept


def _outcome(report: Report) -> Outcome:
    """What the target's status allows to be claimed (DESIGN section 4); a 409 is "exists", whatever it was called."""
    if report.http_status is None:
        return report.outcome
    default = outcomes.by_default(report.http_status)
    if report.outcome in _MADE_NOTHING and report.outcome not in outcomes.allowed(report.http_status):
        return default if default in _TELLS_NOTHING else Outcome.UNKNOWN
    if report.outcome == Outcome.UNKNOWN and default == Outcome.EXISTS:
        return default
    return report.outcome


def _is_repeated(before: Before, answer: Answer) -> bool:
    return before.outcome == answer.outcome and before.result_id == answer.result_id


def _record_after(before: Before, claimed: Claimed, answer: Answer, actor: Actor, run_id: int) -> None:
    """A second word about one attempt: a result is never dropped, an open question may be answered (R8)."""
    brings_result = answer.outcome in {Outcome.DONE, Outcome.ACCEPTED}
    answers_question = before.outcome in _TELLS_NOTHING and answer.outcome in _MADE_NOTHING
    if not brings_result and not answers_question:
        raise AlreadyReportedError(reported=before.outcome)
    receipts.write([(claimed, answer)], late={claimed.token})
    keep_late_truth(action_id=claimed.action_id, answer=answer, actor=actor, run_id=run_id)
