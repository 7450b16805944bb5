"""Judge a pair of assets; where they cost much, one person proposes and a second one of finance agrees."""

from __future__ import annotations

import enum
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.models import Cause, Dropped, Duplicate, DuplicateProposal
from billing.pairs import at_stake, mark_of
from billing.people import must_keep_books
from billing.proposing import done_or_proposed, proposed, the_one_read
from billing.services.decide_duplicate import (
    LONGEST,
    decide_duplicate,
    dismiss_duplicate,
    must_decide_duplicates,
    reopen_duplicate,
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
    OPEN = "open"  # nobody knows after all


class NoSuchDecisionError(DomainError):
    """Not one of the decisions about a pair."""

    code = "no-such-decision"
    template = gettext_noop(
        "Two assets are one deliverable, two that were wanted, or two that only look alike."
    )


class PairChangedError(DomainError):
    """What the person has read is not what they would decide about."""

    code = "pair-changed"
    template = gettext_noop("This pair has changed since you opened it. Read it again, then decide.")


class ProposalDroppedError(DomainError):
    """What was proposed is not what would be decided now."""

    code = "proposal-dropped"
    template = gettext_noop("What was proposed is dropped. %(reason)s Propose it anew.")


def judge_duplicate(
    *,
    duplicate: Duplicate,
    how: str,
    cause: Cause,
    record: str,
    user: User,
    approval: Approval | None = None,
    seen: str | None = None,
) -> DuplicateProposal | None:
    """None: it is decided. Above the project's limit for one person, the proposal that waits for a second.

    ``how``: a PairDecision; ``seen``: the mark of the pair that the person has read (``pairs.mark_of``). Raises
    NoSuchDecisionError, PairChangedError and what ``decide_duplicate``, ``dismiss_duplicate`` and ``reopen_duplicate``
    raise, but for SecondPersonNeededError.
    """
    if how not in set(PairDecision):
        raise NoSuchDecisionError
    chosen = PairDecision(how)

    def do() -> None:
        pair = _locked(duplicate)
        if seen is not None and seen != mark_of(pair):
            raise PairChangedError
        DuplicateProposal.objects.filter(duplicate=pair).delete()
        _do(pair, chosen, cause=cause, record=record, approval=approval, user=user)

    def propose() -> DuplicateProposal:
        return _proposed(_locked(duplicate), chosen, cause=cause, record=record, approval=approval, user=user)

    return done_or_proposed(do, propose, project=duplicate.project)


def agree_to_judgement(*, duplicate: Duplicate, user: User, seen: str) -> None:
    """Afterwards the pair is decided as proposed; ``seen``: when what the person has read was proposed (ISO 8601).

    Raises NotFinanceError, NoProposalError, SecondPersonNeededError for who proposed it, ProposalDroppedError where the
    pair or what it cost has changed since it was proposed (it is dropped then), and what ``decide_duplicate`` and
    ``dismiss_duplicate`` raise.
    """
    must_keep_books(user, duplicate.project)
    with transaction.atomic():
        waiting = DuplicateProposal.objects.filter(duplicate=duplicate)
        found = the_one_read(
            waiting.select_related("proposed_by", "approval"), project=duplicate.project, seen=seen
        )
        pair = _locked(duplicate)
        dropped = why_dropped(found, pair)
        if dropped is None:
            _do(
                pair,
                PairDecision(found.how),
                cause=Cause(found.cause),
                record=found.record,
                approval=found.approval,
                user=found.proposed_by,
                second=user,
            )
            DuplicateProposal.objects.filter(pk=found.pk).delete()
            return
        DuplicateProposal.objects.filter(pk=found.pk).update(dropped=dropped)
    raise ProposalDroppedError(reason=dropped.label)


def why_dropped(proposal: DuplicateProposal, pair: Duplicate) -> Dropped | None:
    """Why nobody can agree to it any more; None: they can."""
    if proposal.dropped:
        return Dropped(proposal.dropped)
    if proposal.pair != mark_of(pair):
        return Dropped.PAIR
    return Dropped.AMOUNT if proposal.amount != _amount(pair, PairDecision(proposal.how)) else None


def withdraw_judgement(*, duplicate: Duplicate, user: User) -> None:
    """Afterwards nothing is proposed for the pair. Raises NotFinanceError."""
    must_decide_duplicates(user, duplicate.project)
    DuplicateProposal.objects.filter(duplicate=duplicate).delete()


def _proposed(
    pair: Duplicate, how: PairDecision, *, cause: Cause, record: str, approval: Approval | None, user: User
) -> DuplicateProposal:
    return proposed(
        DuplicateProposal,
        {"duplicate": pair},
        project=pair.project,
        user=user,
        how=how.value,
        cause=cause,
        record=storable(record).strip()[:LONGEST],
        approval=approval,
        pair=mark_of(pair),
        amount=_amount(pair, how),
        dropped="",
    )


def _locked(duplicate: Duplicate) -> Duplicate:
    """The pair as it is now, locked with its assets, whose texts are decided about; the books are locked already."""
    locked = Duplicate.objects.select_for_update(of=("self", "asset", "survivor"))
    rows = locked.select_related("project", "asset", "survivor")
    return rows.get(pk=duplicate.pk)


def _amount(pair: Duplicate, how: PairDecision) -> Decimal:
    return at_stake(pair.asset, pair.survivor, one=how in {PairDecision.ONE, PairDecision.WANTED})


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
    elif how is PairDecision.OPEN:
        reopen_duplicate(duplicate=duplicate, user=user, record=record, second=second)
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
