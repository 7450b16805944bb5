"""Take an entry back."""

from __future__ import annotations

from django.db import transaction

from billing.locking import lock_books
from billing.models import CostEntry, EntryKind
from billing.people import must_keep_books
from billing.refusals import PostingRefusedError
from billing.services.post_entries import Posted, post_entries
from billing.standing import REVERSIBLE, taken_back, with_transfers
from billing.two_people import second_must_agree
from once_delivery.accounts.models import User


def reverse_entry(*, entry: CostEntry, user: User, words: str, second: User | None = None) -> Posted:
    """Afterwards the entry counts no more: its reversal stands beside it, in the month that takes it now.

    What was transferred goes back first. A reversal, one side of an allocation or of a transfer, and an accrual (which
    is released) cannot be taken back; what a supplier billed only by its credit note. Raises NotFinanceError,
    SecondPersonNeededError, PostingRefusedError (``not-reversible``, ``reversed-already``, ``document-adds-up``).
    """
    must_keep_books(user, entry.project)
    if EntryKind(entry.kind) not in REVERSIBLE:
        raise PostingRefusedError("not_reversible")
    with transaction.atomic():
        lock_books([entry.project_id])
        (standing,) = with_transfers([entry])
        done = post_entries(entries=taken_back(standing, words=words), actor=user.username)
        second_must_agree(project=entry.project, amount=entry.amount, user=user, second=second)
        return done
