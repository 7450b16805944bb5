"""Give up a claim on a provider: the vendor bears it then."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_noop

from billing.locking import lock_books
from billing.models import Bearer, CostEntry, EntryKind, Tax
from billing.people import must_keep_books
from billing.services.post_entries import Posted, post_entries
from billing.standing import Stand, is_reversed, transferred, with_transfers
from billing.two_people import second_must_agree
from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError


class NoClaimError(DomainError):
    """Only an open claim can be given up."""

    code = "no-claim"
    template = gettext_noop("There is no open claim on the provider in this entry.")


class ClaimSettledError(DomainError):
    """The provider has credited it."""

    code = "claim-settled"
    template = gettext_noop("The provider has credited this; there is nothing to give up.")


def give_up_claim(*, entry: CostEntry, user: User, words: str, second: User | None = None) -> Posted:
    """Afterwards the vendor bears what was claimed from the provider; the total cost is unchanged.

    Raises NotFinanceError, SecondPersonNeededError, NoClaimError, ClaimSettledError, PostingRefusedError.
    """
    must_keep_books(user, entry.project)
    with transaction.atomic():
        lock_books([entry.project_id])
        (standing,) = with_transfers([entry])
        if standing.now.bearer is not Bearer.PROVIDER or entry.amount <= 0 or is_reversed(entry):
            raise NoClaimError
        if _credited(entry):
            raise ClaimSettledError
        entries = transferred(
            standing,
            Stand(standing.now.cause, Bearer.VENDOR),
            kind=EntryKind.WRITE_OFF_CLAIM,
            words=words,
        )
        done = post_entries(entries=entries, actor=user.username)
        second_must_agree(project=entry.project, amount=entry.amount, user=user, second=second)
        return done


def _credited(entry: CostEntry) -> bool:
    """The supplier's credit names the line whose charge, or whose tax, this is; one of the net amount leaves the tax."""
    taxed = Q(tax_treatment=Tax.NON_RECOVERABLE)
    return CostEntry.objects.filter(
        taxed if entry.tax_treatment == Tax.NON_RECOVERABLE else ~taxed,
        project_id=entry.project_id,
        kind=EntryKind.SUPPLIER_CREDIT,
        supplier_line__credits_line__isnull=False,
        supplier_line__credits_line=entry.supplier_line_id,
    ).exists()
