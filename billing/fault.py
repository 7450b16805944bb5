"""Whose fault a cost is, and who bears it (ACCOUNTING sections 7 and 8). Pure: facts in, cause and bearer out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from billing.models import Bearer, Cause, Grade, SubBucket, Terms
from once_delivery.review.models import Reason, Verdict
from reconciliation.models import CaseKind

DEFAULT_BEARERS: Mapping[Cause, Bearer] = {
    Cause.NORMAL: Bearer.CLIENT,
    Cause.CLIENT_CHANGE: Bearer.CLIENT,
    Cause.CLIENT_CANCEL: Bearer.CLIENT,
    Cause.CLIENT_DUPLICATE: Bearer.CLIENT,
    Cause.CLIENT_CONFIRMED_REPEAT: Bearer.CLIENT,
    Cause.VENDOR_FAULT: Bearer.VENDOR,
    Cause.PLATFORM_RETRY: Bearer.VENDOR,
    Cause.DEDUPE_MISS: Bearer.VENDOR,
    Cause.PROVIDER_FAULT: Bearer.PROVIDER,
    Cause.PROVIDER_DOUBLE_BILL: Bearer.PROVIDER,
    Cause.UNDETERMINED: Bearer.UNDETERMINED,
}
# whatever the terms say: the client never bears these, and what nobody has judged is borne by nobody yet
NEVER_CLIENT = frozenset({Cause.VENDOR_FAULT, Cause.PLATFORM_RETRY, Cause.DEDUPE_MISS})


def bearer_of(cause: Cause, terms: Terms | None) -> Bearer:
    """Who bears a cost of ``cause`` under ``terms``; what they do not name, or may not decide, is as by default."""
    default = DEFAULT_BEARERS[cause]
    if cause is Cause.UNDETERMINED:
        return default
    named = Bearer(terms.bearers.get(cause.value, default.value)) if terms else default
    return default if cause in NEVER_CLIENT and named is Bearer.CLIENT else named


# requests that were made twice: who bears them is settled on the provider's own line alone
SETTLED_BY_LINE = frozenset(
    {Cause.PLATFORM_RETRY, Cause.DEDUPE_MISS, Cause.CLIENT_CONFIRMED_REPEAT, Cause.PROVIDER_DOUBLE_BILL}
)
_PROVIDERS_OWN = frozenset({Grade.INVOICE, Grade.BILLING_EVENT})


def bearer_of_estimate(cause: Cause, grade: Grade, terms: Terms | None) -> Bearer:
    """Who bears an accrual: nobody yet, where it is one of a request made twice and the provider has not billed it.

    Our price table, and what an answer says, never settle a duplicate request (section 8).
    """
    if cause in SETTLED_BY_LINE and grade not in _PROVIDERS_OWN:
        return Bearer.UNDETERMINED
    return bearer_of(cause, terms)


def bearer_of_fee(terms: Terms | None) -> Bearer:
    """Who bears the fixed platform fee: the client unless the terms say otherwise."""
    return Bearer(terms.platform_fee_bearer) if terms else Bearer.CLIENT


# a rejection for one of these is the vendor's fault: the brief was approved, and the draft is not what it asks for
VENDOR_REASONS = frozenset({Reason.FACTS, Reason.BRIEF, Reason.LANGUAGE, Reason.IMAGES, Reason.FORM})
# taste, and what the client's lawyers want otherwise
CLIENT_REASONS = frozenset({Reason.TONE, Reason.LEGAL})


@dataclass(frozen=True, slots=True)
class Send:
    """One attempt: when it was sent and what became of it."""

    attempt_id: int
    action_id: int
    at: datetime
    adopted: bool = False  # the action's result is its result
    failed: bool = False  # the target said that nothing came of it
    lost: bool = False  # no definite answer


@dataclass(frozen=True, slots=True)
class Deed:
    """One action: whether its outcome is known, and what the client agreed to."""

    open_question: bool = False  # uncertain, to be reconciled, or being sent
    given_up: bool = False
    client_agreed: bool = False  # to send again, or to give it up


@dataclass(frozen=True, slots=True)
class Opinion:
    """One decision about the task's draft."""

    at: datetime
    verdict: str
    reasons: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """Everything that the cause of a task's costs follows from."""

    sends: Sequence[Send]
    deeds: Mapping[int, Deed] = field(default_factory=dict)
    opinions: Sequence[Opinion] = ()  # oldest first; what was taken back is left out
    same_input: bool = False  # an earlier task of this product, locale and purpose has the same brief
    superseded: bool = False  # by a newer input version, before it was accepted
    duplicate: Cause | None = None  # of its asset, decided
    judged: Cause | None = None  # recorded by a person about the whole task
    judged_sends: Mapping[int, Cause] = field(default_factory=dict)


def cause_of(send: Send, task: TaskFacts) -> Cause:
    """The cause of what ``send`` cost: what a person recorded, else by the order of section 8, then section 7."""
    judged = task.judged_sends.get(send.attempt_id)
    if judged is not None:
        return judged
    if task.same_input:
        return Cause.DEDUPE_MISS
    return _of_outcome(send, task) or _of_rework(send, task) or _of_task(task)


def _of_outcome(send: Send, task: TaskFacts) -> Cause | None:
    """Of what was not adopted: still open, failed at the provider, sent again; None for what was adopted."""
    deed = task.deeds.get(send.action_id, Deed())
    if send.adopted:
        return None
    if deed.open_question:
        return Cause.UNDETERMINED if send.lost else None
    if send.failed:
        return Cause.PROVIDER_FAULT
    if deed.given_up:
        return Cause.CLIENT_CANCEL if deed.client_agreed else Cause.UNDETERMINED
    if _was_sent_again(send, task):
        return Cause.CLIENT_CONFIRMED_REPEAT if deed.client_agreed else Cause.PLATFORM_RETRY
    return None


def _was_sent_again(send: Send, task: TaskFacts) -> bool:
    return any(one.action_id == send.action_id and one.attempt_id != send.attempt_id for one in task.sends)


def _of_rework(send: Send, task: TaskFacts) -> Cause | None:
    """Of what was sent after a rejection: by the reasons of the last one before it; None for the first generation."""
    before = [one for one in task.opinions if one.at <= send.at]
    if not before or before[-1].verdict not in {Verdict.REJECTED, Verdict.CHANGES}:
        return None
    reasons = set(before[-1].reasons)
    if reasons & VENDOR_REASONS:
        return Cause.VENDOR_FAULT
    asked = before[-1].verdict == Verdict.CHANGES and not reasons
    return Cause.CLIENT_CHANGE if asked or reasons & CLIENT_REASONS else Cause.UNDETERMINED


def _of_task(task: TaskFacts) -> Cause:
    """Of the first generation: normal, unless the whole task came to nothing."""
    if task.judged is not None:
        return task.judged
    if task.duplicate is not None:
        return task.duplicate
    return Cause.CLIENT_CHANGE if task.superseded else Cause.NORMAL


def cause_of_labour(kind: str, task: TaskFacts) -> Cause:
    """Of measured time on a case: cleaning a duplicate has the duplicate's cause, the rest is the platform's."""
    if kind == CaseKind.DUPLICATE:
        return task.duplicate or Cause.DEDUPE_MISS
    return Cause.PLATFORM_RETRY


def purpose_of_labour(kind: str) -> SubBucket:
    """Recovery of what is uncertain, or cleanup of what is there twice."""
    return SubBucket.CLEANUP if kind == CaseKind.DUPLICATE else SubBucket.RECOVERY


def bearer_of_labour(cause: Cause, kind: str, terms: Terms | None) -> Bearer:
    """Reconciling is part of the fee for a normal output unless the terms leave it out; then the client bears it."""
    reconciling = kind != CaseKind.DUPLICATE and cause is Cause.PLATFORM_RETRY
    if reconciling and terms is not None and not terms.includes.get("reconciliation", True):
        return Bearer.CLIENT
    return bearer_of(cause, terms)
