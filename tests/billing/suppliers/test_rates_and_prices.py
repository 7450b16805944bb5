from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from billing.amounts import EndsBeforeItBeginsError, NegativeAmountError
from billing.exchange import rate_on
from billing.models import CostEntry, FxRate, PlatformFee, PriceVersion, SubBucket, Usage
from billing.money import UnknownCurrencyError
from billing.people import NotFinanceError
from billing.selectors.queue import unknown_costs, unknown_count
from billing.services.import_prices import import_prices
from billing.services.import_rates import SourceNeededError, import_rates
from billing.services.pull_usage import pull_usage
from billing.services.save_platform_fee import NotAFeeError, save_platform_fee
from billing.services.save_price import save_price
from billing.services.save_rate_card import save_rate_card
from once_delivery.accounts.models import Project
from once_delivery.common.sheets.problems import ImportRefusedError
from tests.billing.deliveries import at
from tests.billing.suppliers.files import csv_bytes, json_bytes
from tests.billing.suppliers.world import a_rate, actions_for, an_attempt, told_later, used
from tests.billing.world import SEPTEMBER, a_keeper, a_project_with_books, by
from tests.builders import a_user

pytestmark = pytest.mark.django_db
DAY = date(2026, 9, 14)


@pytest.fixture
def project() -> Project:
    return a_project_with_books()


def test_a_rate_is_said_once(project: Project) -> None:
    data = csv_bytes(
        ["2026-09-14", "USD", "7.1234"], ["2026-09-15", "USD", "7.13"], header=["date", "currency", "rate"]
    )
    assert import_rates(project=project, data=data, file_name="r.csv", source="central bank") == 2
    assert import_rates(project=project, data=data, file_name="r.csv", source="central bank") == 0
    found = rate_on(project=project, currency="USD", into="CNY", day=DAY)
    assert (found.rate, found.day, found.source) == (Decimal("7.1234"), DAY, "central bank")


def test_the_central_banks_table_is_worked_out_through_the_euro(project: Project) -> None:
    table = csv_bytes(
        ["2026-09-14", "1.1052", "163.5", "7.8624", ""],
        ["2026-09-11", "N/A", "163.1", "7.8", ""],
        header=["Date", "USD", "JPY", "CNY", ""],
    )
    assert import_rates(project=project, data=table, file_name="eurofxref-hist.csv", source="ECB") == 5
    rates = dict(FxRate.objects.filter(day=DAY).values_list("currency", "rate"))
    assert rates == {
        "EUR": Decimal("7.8624"),
        "USD": Decimal("7.1140065147"),
        "JPY": Decimal("0.0480880734"),
    }
    document = {"base": "EUR", "date": "2026-09-16", "rates": {"USD": 1.1, "CNY": 7.7}}
    assert import_rates(project=project, data=json_bytes(document), file_name="r.json", source="ECB") == 2
    assert rate_on(project=project, currency="USD", into="CNY", day=date(2026, 9, 16)).rate == 7


@pytest.mark.parametrize(
    ("header", "row", "code"),
    [
        (["date", "currency", "rate"], ["2026-09-14", "USD", "0"], "bad-rate"),
        (["date", "currency", "rate"], ["2026-09-14", "USD", "-7"], "bad-rate"),
        (["date", "currency", "rate"], ["2026-09-14", "USD", "7,12"], "number-with-separators"),
        (["date", "currency", "rate"], ["46279", "USD", "7.12"], "date-as-number"),
        (["date", "currency", "rate"], ["2026-09-14", "XXQ", "7.12"], "unknown-currency"),
        (["date", "currency", "rate", "x"], ["2026-09-14", "USD", "7.12", "y"], "unknown-column"),
        (["currency", "rate"], ["USD", "7.12"], "missing-column"),
        (["Date", "USD"], ["2026-09-14", "1.1"], "no-functional-currency"),
        (["Date", "USD", "CNY", "Q"], ["2026-09-14", "1.1", "7", "1"], "unknown-currency"),
    ],
)
def test_bad_rates_are_refused(project: Project, header: list[str], row: list[str], code: str) -> None:
    with pytest.raises(ImportRefusedError) as caught:
        import_rates(project=project, data=csv_bytes(row, header=header), file_name="r.csv", source="s")
    assert caught.value.problems[0].code == code
    assert not FxRate.objects.exists()


def test_a_rate_needs_a_source(project: Project) -> None:
    data = csv_bytes(["2026-09-14", "USD", "7"], header=["date", "currency", "rate"])
    with pytest.raises(SourceNeededError):
        import_rates(project=project, data=data, file_name="r.csv")
    with pytest.raises(NotFinanceError):
        import_rates(project=project, data=data, file_name="r.csv", source="s", user=a_user("ops"))


def test_usage_is_pulled_once_and_told_better_later(project: Project) -> None:
    a_rate(project, DAY, Decimal("7.1234"))
    first, second = actions_for(project, 2)
    an_attempt(first, at(14), used("r-1"))
    an_attempt(second, at(14), used("r-2", amount="0.05", currency="USD"))
    an_attempt(
        second, at(14), {"provider": "fal", "second_try": {"amount": "1"}}
    )  # nothing was used that is known
    pulled = pull_usage(project=project, actor="pull")
    assert (pulled.new, pulled.priced.accrued, pulled.priced.unknown) == (2, 1, 1)
    assert by(project, "kind", "grade", "bearer") == {("accrual", "C", "undetermined"): Decimal("0.36")}
    assert unknown_count(project, SEPTEMBER) == 1
    again = pull_usage(project=project, actor="pull")
    assert (again.new, again.better, again.priced.accrued) == (0, 0, 0)
    told_later(first.attempts.get(), at(15), used("r-1", amount="0.04", currency="USD"))
    better = pull_usage(project=project, actor="pull")
    assert (better.new, better.better, better.priced.accrued) == (0, 1, 1)
    assert unknown_count(project) == 0
    assert Usage.objects.filter(replaced=True).count() == 1


def test_a_missing_price_is_unknown_until_it_is_imported(project: Project) -> None:
    a_rate(project, DAY, Decimal(7))
    (action,) = actions_for(project, 1)
    an_attempt(action, at(14), used("r-1", units="3"))
    pull_usage(project=project, actor="pull")
    assert not CostEntry.objects.exists()
    (unknown,) = unknown_costs(project)
    assert (unknown.provider, unknown.model, unknown.unit, unknown.requests, unknown.units) == (
        *("fal", "flux", "image"),
        1,
        Decimal(3),
    )
    prices = {
        "sample_spec": {"litellm_provider": "x", "output_cost_per_image": 1},
        "fal_ai/flux": {
            "litellm_provider": "fal_ai",
            "mode": "image_generation",
            "output_cost_per_image": 0.025,
        },
        "gpt-4o": {
            "litellm_provider": "openai",
            "input_cost_per_token": 2.5e-06,
            "output_cost_per_token": 1e-05,
        },
    }
    done = import_prices(
        project=project,
        data=json_bytes(prices),
        file_name="prices.json",
        source="LiteLLM",
        valid_from=SEPTEMBER,
    )
    assert (done.read, done.new, done.priced.accrued) == (3, 3, 1)
    entry = CostEntry.objects.get()
    assert (entry.kind, entry.grade, entry.amount, entry.native_amount) == (
        *("accrual", "D"),
        Decimal("0.53"),
        Decimal("0.075"),
    )
    assert PriceVersion.objects.get(unit="input token").price == Decimal("0.0000025")
    assert unknown_count(project) == 0
    again = import_prices(
        project=project,
        data=json_bytes(prices),
        file_name="prices.json",
        source="LiteLLM",
        valid_from=SEPTEMBER,
    )
    assert (again.new, again.priced.accrued) == (0, 0)


def test_the_price_of_the_day_of_use_counts(project: Project) -> None:
    finance = a_keeper(project)
    for price, begin, model in (
        ("1", date(2026, 9, 1), ""),
        ("2", date(2026, 9, 15), ""),
        ("3", date(2026, 9, 20), "flux"),
    ):
        save_price(
            project=project, user=finance, provider="fal", model=model, unit="image", price=Decimal(price),
            currency="CNY", valid_from=begin, source="list",
        )  # fmt: skip
    for action, day in zip(actions_for(project, 3), (14, 16, 21), strict=True):
        an_attempt(action, at(day), used(f"r-{day}"))
    pull_usage(project=project, actor="pull")
    assert sorted(CostEntry.objects.values_list("amount", flat=True)) == [1, 2, 3]


def test_cards_and_fees_cost_something_from_a_day_on(project: Project) -> None:
    finance = a_keeper(project)
    card = save_rate_card(project=project, user=finance, hourly=Decimal(120), currency="cny", valid_from=DAY)
    assert card.currency == "CNY"
    with pytest.raises(NegativeAmountError):
        save_rate_card(project=project, user=finance, hourly=Decimal(-1), currency="CNY", valid_from=DAY)
    with pytest.raises(UnknownCurrencyError):
        save_rate_card(project=project, user=finance, hourly=Decimal(1), currency="???", valid_from=DAY)
    fee = {
        "project": project, "user": finance, "code": "Once", "per": PlatformFee.Per.MONTH, "amount": Decimal(9),
        "currency": "CNY", "valid_from": DAY,
    }  # fmt: skip
    assert save_platform_fee(**fee, sub_bucket=SubBucket.PLATFORM).code == "once"  # type: ignore[arg-type]
    with pytest.raises(NotAFeeError):
        save_platform_fee(**fee, sub_bucket=SubBucket.STORAGE)  # type: ignore[arg-type]
    with pytest.raises(EndsBeforeItBeginsError):
        save_platform_fee(**fee, sub_bucket=SubBucket.PLATFORM, valid_until=SEPTEMBER)  # type: ignore[arg-type]


def test_what_a_provider_mistold_does_not_stop_the_others(project: Project) -> None:
    a_rate(project, DAY, Decimal(7))
    first, second = actions_for(project, 2)
    an_attempt(first, at(14), used("r-1", amount="900000000000000", currency="USD"))
    an_attempt(second, at(14), used("r-2", amount="1", currency="USD"))
    pulled = pull_usage(project=project, actor="pull")
    assert (pulled.priced.accrued, pulled.priced.unknown) == (1, 1)
