"""Estimate a cost whose bill has not come."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.utils.translation import gettext_noop

from billing.entry import NewEntry
from billing.exchange import rate_on
from billing.fault import bearer_of
from billing.models import Cause, EntryKind, Grade, SubBucket, Supplier
from billing.people import must_keep_books
from billing.services.post_entries import Posted, currency_of, post_entries
from billing.terms_on import all_terms, terms_on
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Attempt


class NegativeAccrualError(DomainError):
    """What is expected to be billed is not less than nothing."""

    code = "wrong-sign"
    template = gettext_noop("An estimate cannot be negative.")


def accrue(
    *,
    project: Project,
    user: User,
    used_on: date,
    sub_bucket: SubBucket,
    amount: Decimal,
    currency: str,
    words: str,
    cause: Cause = Cause.NORMAL,
    source_key: str = "",
    supplier: Supplier | None = None,
    attempt: Attempt | None = None,
) -> Posted:
    """Afterwards the estimate counts in the month of ``used_on``, until it is released (``release_accrual``).

    ``words``: who expects the bill of ``supplier``, and why. Converted at the rate of ``used_on``. Raises NotFinanceError,
    NoBooksError, NegativeAccrualError, NoExchangeRateError and what ``post_entries`` raises.
    """
    must_keep_books(user, project)
    if amount < 0:
        raise NegativeAccrualError
    entry = NewEntry(
        project_id=project.pk,
        incurred_on=used_on,
        kind=EntryKind.ACCRUAL,
        sub_bucket=sub_bucket,
        cause=cause,
        bearer=bearer_of(cause, terms_on(all_terms(project.pk), used_on)),
        grade=Grade.ESTIMATE,
        native_amount=amount,
        native_currency=currency,
        exchange=rate_on(project=project, currency=currency, into=currency_of(project), day=used_on),
        source_key=source_key,
        description=words[:500],
        details={"owner": user.username} | ({"supplier": supplier.code} if supplier else {}),
        task_id=attempt.action.task_id if attempt else None,
        attempt_id=attempt.pk if attempt else None,
    )
    return post_entries(entries=[entry], actor=user.username)
