"""Save what platform or orchestration costs, from a day on."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.utils.translation import gettext_noop

from billing.amounts import checked_currency, checked_dates, checked_price
from billing.codes import code_of, drops_signs
from billing.models import PlatformFee, SubBucket
from billing.people import must_keep_books
from billing.typed import TOO_LONG
from once_delivery.accounts.models import Project, User
from once_delivery.common import canonical
from once_delivery.common.errors import DomainError, InvalidInputError, Problem

BAD_CODE = gettext_noop(
    "“%(typed)s” cannot be a code: write letters and digits, with blanks, “-” or “_” between them."
)
_LONGEST = 50
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

    Raises NotFinanceError, NotAFeeError, InvalidInputError for a code that would be shortened into that of another fee,
    NegativeAmountError, UnknownCurrencyError, EndsBeforeItBeginsError.
    """
    must_keep_books(user, project)
    name = _code(code)
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


def _code(typed: str) -> str:
    """Empty where nothing is left of it."""
    try:
        said = canonical.text(typed)
    except canonical.BadIdentityError:
        return ""
    code = code_of(said)
    if drops_signs(said):
        raise InvalidInputError((Problem("bad-code", BAD_CODE, {"typed": said[:30]}, column="code"),))
    if len(code) > _LONGEST:
        raise InvalidInputError((Problem("too-long", TOO_LONG, {"most": _LONGEST}, column="code"),))
    return code
