"""Judge a pair of assets; where they cost much, one person proposes and a second one of finance agrees."""

from __future__ import annotations

import enum

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.models import Cause, Duplicate, DuplicateProposal
from billing.people import must_keep_books
from billing.proposing import done_or_proposed, proposed, the_one_read
from billing.services.decide_duplicate import (
    LONGEST,
    decide_duplicate,
    dismiss_duplicate,
    must_decide_duplicates,
)
from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from reconciliation.models import Approval


class PairDecision(enum.StrEnum):
    """What two assets may be."""

    ONE = "duplicate"  # one deliverable: the second counts no more
    WANTED = "wanted"  # two, since the client wanted both
    TWO = "dismiss"  # two that only look alike


class NoSuchDecisionError(DomainError):
    """Not one of the decisions about a pair."""

    code = "no-such-decision"
    template = gettext_noop(
        "Two assets are one deliverable, two that were wanted, or two that only look alike."
    )


def judge_duplicate(
    *,
    duplicate: Duplicate,
    how: str,
    cause: Cause,
    record: str,
    user: User,
    approval: Approval | None = None,
) -> DuplicateProposal | None:
    """None: it is decided. Above the project's limit for one person, the proposal that waits for a second.

    ``how``: a PairDecision. Raises NoSuchDecisionError and what ``decide_duplicate`` and ``dismiss_duplicate`` raise,
    but for SecondPersonNeededError.
    """
    if how not in set(PairDecision):
        raise NoSuchDecisionError
    chosen = PairDecision(how)

    def do() -> None:
        DuplicateProposal.objects.filter(duplicate=duplicate).delete()
        _do(duplicate, chosen, cause=cause, record=record, approval=approval, user=user)

    def propose() -> DuplicateProposal:
        return proposed(
            DuplicateProposal,
            {"duplicate": duplicate},
            project=duplicate.project,
            user=user,
            how=chosen.value,
            cause=cause,
            record=storable(record).strip()[:LONGEST],
            approval=approval,
        )

    return done_or_proposed(do, propose)


def agree_to_judgement(*, duplicate: Duplicate, user: User, seen: str) -> None:
    """Afterwards the pair is decided as proposed; ``seen``: when what the person has read was proposed (ISO 8601).

    Raises NotFinanceError, NoProposalError, SecondPersonNeededError for who proposed it, and what
    ``decide_duplicate`` and ``dismiss_duplicate`` raise.
    """
    must_keep_books(user, duplicate.project)
    with transaction.atomic():
        waiting = DuplicateProposal.objects.filter(duplicate=duplicate)
        found = the_one_read(waiting.select_related("proposed_by", "approval"), seen=seen)
        _do(
            duplicate,
            PairDecision(found.how),
            cause=Cause(found.cause),
            record=found.record,
            approval=found.approval,
            user=found.proposed_by,
            second=user,
        )
        DuplicateProposal.objects.filter(pk=found.pk).delete()


def withdraw_judgement(*, duplicate: Duplicate, user: User) -> None:
    """Afterwards nothing is proposed for the pair. Raises NotFinanceError."""
    must_decide_duplicates(user, duplicate.project)
    DuplicateProposal.objects.filter(duplicate=duplicate).delete()


def _do(
    duplicate: Duplicate,
    how: PairDecision,
    *,
    cause: Cause,
    record: str,
    approval: Approval | None,
    user: User,
    second: User | None = None,
) -> None:
    if how is PairDecision.TWO:
        dismiss_duplicate(duplicate=duplicate, user=user, record=record, second=second)
    else:
        decide_duplicate(
            asset=duplicate.asset,
            survivor=duplicate.survivor,
            user=user,
            cause=cause,
            record=record,
            wanted=how is PairDecision.WANTED,
            approval=approval,
            second=second,
        )
