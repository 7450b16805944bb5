"""Let somebody else bear a cost."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.fault import NEVER_CLIENT
from billing.locking import lock_books
from billing.models import Bearer, CostEntry, EntryKind
from billing.people import must_keep_books
from billing.services.post_entries import Posted, post_entries
from billing.standing import Stand, is_reversed, transferred, with_transfers
from billing.two_people import second_must_agree
from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError

BEARABLE = frozenset({EntryKind.CHARGE, EntryKind.LABOUR, EntryKind.ALLOCATION_IN, EntryKind.ACCRUAL})


class NotTransferableError(DomainError):
    """Only a cost that stands has a bearer; a reversal or a transfer is part of another entry."""

    code = "not-transferable"
    template = gettext_noop("This entry is no cost that stands: nobody bears it.")


class NeverClientError(DomainError):
    """The vendor's faults are the vendor's, whatever is agreed later."""

    code = "never-client"
    template = gettext_noop("The client does not bear the vendor's faults. If it was none, change the cause.")


def transfer_bearer(
    *, entry: CostEntry, bearer: Bearer, user: User, words: str, second: User | None = None
) -> Posted:
    """Afterwards ``bearer`` bears the entry; the total cost is unchanged. Borne by it already, nothing is posted.

    Raises NotFinanceError, SecondPersonNeededError, NotTransferableError, NeverClientError, PostingRefusedError.
    """
    must_keep_books(user, entry.project)
    with transaction.atomic():
        lock_books([entry.project_id])
        if EntryKind(entry.kind) not in BEARABLE or is_reversed(entry):
            raise NotTransferableError
        (standing,) = with_transfers([entry])
        now = standing.now
        if bearer is Bearer.CLIENT and now.cause in NEVER_CLIENT:
            raise NeverClientError
        if now.bearer is bearer:
            return Posted(skipped=1)
        entries = transferred(standing, Stand(now.cause, bearer), words=words)
        done = post_entries(entries=entries, actor=user.username)
        second_must_agree(project=entry.project, amount=entry.amount, user=user, second=second)
        return done
