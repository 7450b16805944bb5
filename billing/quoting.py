"""A scope and its quotes out of the database, as the comparison reads them."""

from __future__ import annotations

from decimal import Decimal

from billing.exchange import rate_on
from billing.models import Quote, Scope
from billing.money import quantum_of
from billing.normal_output import FEE_LINE_OF
from billing.quotes import Compared, FrozenScope, Offer, ScopeLine, compare

DAYS_A_MONTH = 30


def frozen(scope: Scope) -> FrozenScope:
    """The scope's lines with the quantities that follow from it."""
    outputs = Decimal(scope.outputs)
    quantities = {
        "output": outputs,
        "platform_retry": outputs * scope.uncertain,
        "client_round": outputs * scope.client_rounds,
        "vendor_rework": outputs * scope.rejected,
        "duplicate_check": outputs,
        "delivery": outputs,
        "reconciliation": outputs * scope.uncertain,
        "duplicate_cleanup": outputs * scope.duplicate,
        "storage": outputs * scope.storage_days / DAYS_A_MONTH,
        "export": Decimal(scope.months),
        "platform_fee": Decimal(scope.months),
    }
    return FrozenScope(
        currency=scope.currency,
        quantum=quantum_of(scope.currency),
        outputs=outputs,
        unaccepted=scope.unaccepted,
        duplicate=scope.duplicate,
        lines=tuple(
            ScopeLine(code, quantity, FEE_LINE_OF[code].never_billed) for code, quantity in quantities.items()
        ),
    )


def compared(scope: Scope) -> tuple[Compared, ...]:
    """Every quote on the scope beside the others, at the rates of its day. Raises NoExchangeRateError."""
    offers = [
        Offer(
            vendor=quote.vendor,
            currency=quote.currency,
            rate=rate_on(
                project=scope.project, currency=quote.currency, into=scope.currency, day=scope.rate_day
            ).rate,
            prices={code: Decimal(price) for code, price in quote.prices.items()},
        )
        for quote in Quote.objects.filter(scope=scope).order_by("vendor")
    ]
    return compare(frozen(scope), offers)
