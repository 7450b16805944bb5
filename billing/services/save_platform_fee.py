"""Save what platform or orchestration costs, from a day on."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.utils.text import slugify
from django.utils.translation import gettext_noop

from billing.amounts import checked_currency, checked_dates, checked_price
from billing.models import PlatformFee, SubBucket
from billing.people import must_keep_books
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError

_FEES = frozenset({SubBucket.PLATFORM, SubBucket.ORCHESTRATION})


class NotAFeeError(DomainError):
    """A fee has a name, and is for the platform or for orchestration."""

    code = "not-a-fee"
    template = gettext_noop("A fee has a code, and is for the platform or for orchestration.")


def save_platform_fee(
    *,
    project: Project,
    user: User,
    code: str,
    sub_bucket: SubBucket,
    per: PlatformFee.Per,
    amount: Decimal,
    currency: str,
    valid_from: date,
    valid_until: date | None = None,
) -> PlatformFee:
    """A new version of the fee ``code``; what was pulled before stays.

    Raises NotFinanceError, NotAFeeError, NegativeAmountError, UnknownCurrencyError, EndsBeforeItBeginsError.
    """
    must_keep_books(user, project)
    name = slugify(code)[:50]
    if not name or sub_bucket not in _FEES:
        raise NotAFeeError
    checked_dates(valid_from, valid_until)
    return PlatformFee.objects.create(
        project=project,
        code=name,
        sub_bucket=sub_bucket,
        per=per,
        amount=checked_price(amount),
        currency=checked_currency(currency),
        valid_from=valid_from,
        valid_until=valid_until,
        saved_by=user,
    )
