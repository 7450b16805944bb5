from __future__ import annotations

from decimal import Decimal

from billing.quotes import Compared, FrozenScope, Offer, ScopeLine, Standing, compare

SCOPE = FrozenScope(
    currency="CNY",
    quantum=Decimal("0.01"),
    outputs=Decimal(100),
    unaccepted=Decimal("0.10"),
    duplicate=Decimal("0.02"),
    lines=(
        ScopeLine("output", Decimal(100)),
        ScopeLine("platform_fee", Decimal(3)),
        ScopeLine("vendor_rework", Decimal(20), never_billed=True),
    ),
)


def an_offer(vendor: str, *, currency: str = "CNY", rate: str = "1", **prices: str) -> Offer:
    return Offer(vendor, currency, Decimal(rate), {code: Decimal(price) for code, price in prices.items()})


def by_vendor(*offers: Offer) -> dict[str, Compared]:
    return {found.offer.vendor: found for found in compare(SCOPE, offers)}


def test_the_total_is_divided_by_what_is_accepted_and_not_duplicate() -> None:
    found = by_vendor(an_offer("A", output="40", platform_fee="500"))["A"]
    assert (found.standing, found.total, found.rank) == (Standing.COMPARABLE, Decimal("5500.00"), 1)
    assert found.unit_cost == Decimal("62.36")  # 5500 / 88.2


def test_a_missing_price_is_incomplete_and_not_ranked() -> None:
    found = by_vendor(an_offer("A", output="1"), an_offer("B", output="40", platform_fee="500"))
    assert (found["A"].standing, found["A"].total, found["A"].rank) == (Standing.INCOMPLETE, None, None)
    assert found["B"].rank == 1


def test_billing_the_vendors_own_rework_breaks_the_rules() -> None:
    found = by_vendor(an_offer("A", output="10", platform_fee="0", vendor_rework="10"))["A"]
    assert (found.standing, found.rank) == (Standing.NON_COMPLIANT, None)
    assert (found.total, found.normalised_total) == (Decimal("1200.00"), Decimal("1000.00"))


def test_prices_come_into_one_currency_and_equal_costs_share_a_rank() -> None:
    found = by_vendor(
        an_offer("A", output="71.234", platform_fee="0"),
        an_offer("B", output="10", platform_fee="0", currency="USD", rate="7.1234"),
        an_offer("C", output="80", platform_fee="0"),
    )
    assert [found[name].rank for name in "ABC"] == [1, 1, 3]
    assert found["C"].above_best == Decimal("9.94")  # 8000/88.2 - 7123.40/88.2, each rounded once


def test_the_cheapest_comes_first_and_who_is_not_ranked_last() -> None:
    offers = [
        an_offer("Z", output="1"),
        an_offer("B", output="2", platform_fee="0"),
        an_offer("A", output="3", platform_fee="0"),
    ]
    assert [found.offer.vendor for found in compare(SCOPE, offers)] == ["B", "A", "Z"]


def test_a_price_of_many_digits_is_compared_all_the_same() -> None:
    most = "999999999999.999999999999"
    found = by_vendor(an_offer("A", output=most, platform_fee=most, currency="KWD", rate="137000.1234567891"))
    assert found["A"].total == Decimal("14111012716049277300.00")
