from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from billing.exchange import NoExchangeRateError
from billing.models import (
    Books,
    CostEntry,
    DocumentKind,
    Period,
    Supplier,
    SupplierDocument,
    SupplierLine,
    Tax,
)
from billing.people import NotFinanceError
from billing.refusals import AmountTooLargeError
from billing.services.import_document import FileKnownError, OtherSupplierError, import_document
from billing.services.preview_document import preview_document
from billing.suppliers.checks import Stated, check_total
from once_delivery.accounts.models import Project
from once_delivery.common.sheets.problems import Problems
from tests.billing.deliveries import at
from tests.billing.suppliers.files import a_file, one
from tests.billing.suppliers.world import (
    RATE,
    a_rate,
    a_world,
    actions_for,
    an_attempt,
    entries_sum,
    imported,
    incoming,
    problems,
    statuses,
)
from tests.billing.world import SEPTEMBER, a_keeper, a_project_with_books, by, close
from tests.builders import a_user
from tests.web.conftest import signed_in

pytestmark = pytest.mark.django_db
AMOUNTS = ["4.00"] * 6 + ["6.50", "6.50", "4.00", "4.00"]


@pytest.fixture
def project() -> Project:
    return a_world()[0]


@pytest.fixture
def supplier(project: Project) -> Supplier:
    return project.suppliers.get()


def an_invoice() -> list[Any]:
    """The one of ACCOUNTING section 12: 48.37 dollars in eleven lines, a1 billed twice."""
    names = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a1"]
    lines = [one(request_id=name, amount=amount) for name, amount in zip(names, AMOUNTS, strict=True)]
    return [*lines, one(request_id="", model="", amount="3.37", sub_bucket="storage", units="")]


def test_a_document_is_converted_once(project: Project, supplier: Supplier) -> None:
    result = imported(supplier, *an_invoice(), total=Decimal("48.37"))
    assert (result.added, result.total, result.functional_total) == (11, Decimal("48.37"), Decimal("344.56"))
    shares = [line.functional_amount for line in SupplierLine.objects.order_by("number")]
    assert [str(share) for share in shares] == [
        *("28.500000", "28.500000", "28.500000", "28.490000", "28.490000", "28.490000"),
        *("46.300000", "46.300000", "28.490000", "28.490000", "24.010000"),
    ]
    assert result.document is not None
    assert entries_sum(result.document) == Decimal("344.56")
    assert statuses() == ["orphan"] * 9 + ["double", "general"]
    assert by(project, "bearer") == {
        "undetermined": Decimal("292.06"),
        "provider": Decimal("28.49"),
        "client": Decimal("24.01"),
    }


def test_the_same_lines_add_nothing(supplier: Supplier) -> None:
    first, second = one(), one(request_id="", model="m")
    assert imported(supplier, first, first, second).added == 3
    again = imported(supplier, first, first, second)
    assert (again.added, again.known) == (0, 3)
    more = imported(supplier, first, first, second, one(request_id="r-9"), total=Decimal(16))
    assert (more.added, more.known) == (1, 3)
    original, supplement = SupplierDocument.objects.order_by("supplement")
    assert (original.total, supplement.supplement, supplement.total) == (Decimal(12), 1, Decimal(4))
    # 16 dollars are 113.97; line by line they would be 113.96
    assert entries_sum(original) + entries_sum(supplement) == Decimal("113.97")
    assert imported(supplier, one(request_id="r-9"), first).added == 0


def test_a_dry_run_tells_and_keeps_nothing(supplier: Supplier) -> None:
    result = preview_document(incoming=incoming(supplier, a_file(*an_invoice())))
    assert (result.added, result.posted, result.functional_total) == (11, 11, Decimal("344.56"))
    assert result.sums["double"] == (1, Decimal("28.49"))
    assert result.lines[9].status == "double"
    assert not SupplierDocument.objects.exists()
    assert not CostEntry.objects.exists()


def test_one_file_has_one_number(supplier: Supplier) -> None:
    imported(supplier, one())
    with pytest.raises(FileKnownError):
        imported(supplier, one(), number="INV-2")


@pytest.mark.parametrize(
    ("changes", "said", "problem"),
    [
        ({}, {"total": Decimal("4.01")}, ("wrong-total", None, "total")),
        ({}, {"total": Decimal("4.001")}, ("too-many-decimals", None, "total")),
        ({"currency": ""}, {}, ("no-currency", 2, "G (currency)")),
        ({"document": "INV-7"}, {}, ("other-document", 2, "H (document)")),
        ({"used_at": "2026-10-02"}, {}, ("date-after-document", 2, "B (used_at)")),
        ({"used_at": "2026-08-02"}, {}, ("period-closed", 2, "B (used_at)")),
        ({"attempt": "0b0ad1f2-6f2b-4c1e-8a5e-000000000000"}, {}, ("unknown-attempt", 2, "H (attempt)")),
        ({"attempt": "x"}, {}, ("unknown-attempt", 2, "H (attempt)")),
    ],
)
def test_what_does_not_fit_is_refused(
    project: Project,
    supplier: Supplier,
    changes: dict[str, str],
    said: dict[str, Any],
    problem: tuple[str, int | None, str],
) -> None:
    Period.objects.create(project=project, month=date(2026, 8, 1))
    close(project, date(2026, 8, 1))
    assert problems(supplier, one(**changes), **said) == [problem]
    assert not SupplierDocument.objects.exists()


def test_a_wrong_total_is_told_as_it_is_written() -> None:
    """Not as it is kept, with twelve decimals, nor as ten is normalised."""
    found = Problems()
    stated = Stated("INV-1", date(2026, 9, 30), Decimal("11.000000000000"), late=False, credit_note=False)
    check_total(Decimal("1E+1"), "CNY", stated, found)
    (problem,) = found.refusal().problems
    assert problem.params == {"sum": "10", "total": "11", "currency": "CNY"}


def test_currencies_are_not_mixed(supplier: Supplier) -> None:
    assert problems(supplier, one(), one(currency="EUR")) == [("mixed-currencies", 3, "G (currency)")]


def test_another_projects_attempt_is_unknown(supplier: Supplier) -> None:
    other = a_project_with_books("borealis")
    (action,) = actions_for(other, 1)
    token = str(an_attempt(action, at(3)).token)
    assert problems(supplier, one(attempt=token)) == [("unknown-attempt", 2, "H (attempt)")]


def test_a_late_cost_is_a_correction(project: Project, supplier: Supplier) -> None:
    imported(supplier, one())
    close(project, SEPTEMBER)
    late = one(request_id="late")
    assert problems(supplier, late, number="INV-2") == [("period-closed", 2, "B (used_at)")]
    result = imported(supplier, late, number="INV-2", late=True)
    assert result.document is not None
    entry = result.document.entries.get()
    assert (entry.origin_period, entry.posted_period, entry.correction) == (
        SEPTEMBER,
        date(2026, 10, 1),
        True,
    )


def test_the_last_published_rate_is_used_for_four_days(supplier: Supplier) -> None:
    result = imported(supplier, one(), dated=date(2026, 10, 4))
    assert (result.rate, result.rate_day) == (RATE, date(2026, 9, 30))
    with pytest.raises(NoExchangeRateError):
        imported(supplier, one(request_id="r-2"), number="INV-2", dated=date(2026, 10, 5))
    assert SupplierDocument.objects.count() == 1


def test_yen_and_dinars_have_their_minor_units() -> None:
    project, supplier = a_world(rate=None)
    a_rate(project, date(2026, 9, 30), Decimal("0.048"), "JPY")
    a_rate(project, date(2026, 9, 30), Decimal("18.9"), "BHD")
    assert (
        problems(supplier, one(currency="JPY", amount="100"), total=Decimal("100.5"))[0][0]
        == "too-many-decimals"
    )
    yen = imported(supplier, one(currency="JPY", amount="100"), total=Decimal(100))
    assert yen.functional_total == Decimal("4.80")
    dinars = imported(supplier, one(currency="BHD", amount="1.234"), total=Decimal("1.234"), number="INV-2")
    assert dinars.functional_total == Decimal("23.32")


def test_books_in_yen_post_whole_yen() -> None:
    project = a_project_with_books("borealis", currency="JPY")
    supplier = Supplier.objects.create(project=project, code="fal", name="fal")
    a_rate(project, date(2026, 9, 30), Decimal("150.25"), into="JPY")
    imported(supplier, one(amount="0.50"), one(amount="0.51", request_id="r-2"))
    assert Books.objects.get(project=project).quantum == 1
    assert sorted(CostEntry.objects.values_list("amount", flat=True)) == [75, 77]


def test_recoverable_tax_is_outside_and_the_other_follows(project: Project, supplier: Supplier) -> None:
    result = imported(supplier, one(tax="0.52", tax_treatment="recoverable"), one(request_id="r-2"))
    assert (result.total, result.tax_total) == (Decimal(8), Decimal("0.52"))
    assert sum(CostEntry.objects.values_list("tax_memo", flat=True)) == Decimal("3.70")
    other = imported(
        supplier, one(tax="0.52", tax_treatment="non_recoverable", request_id="r-3"), number="INV-2"
    )
    assert other.total == Decimal("4.52")
    assert by(project, "tax_treatment", document=other.document) == {
        Tax.NONE: Decimal("28.50"),
        Tax.NON_RECOVERABLE: Decimal("3.70"),
    }


def test_tax_of_the_whole_document_is_spread_over_its_charges(supplier: Supplier) -> None:
    lines = [one(), one(request_id="r-2"), one(category="tax", request_id="", amount="0.80", units="")]
    result = imported(supplier, *lines, tax_treatment=Tax.NON_RECOVERABLE)
    assert (result.total, result.functional_total) == (Decimal("8.80"), Decimal("62.69"))
    taxes = CostEntry.objects.filter(tax_treatment=Tax.NON_RECOVERABLE).order_by("seq")
    assert [entry.amount for entry in taxes] == [Decimal("2.85"), Decimal("2.85")]


def test_an_organisations_document_is_shared(project: Project) -> None:
    other = a_project_with_books("borealis")
    finance = a_keeper(project)
    platform = Supplier.objects.create(code="platform", name="Platform", sub_bucket="platform")
    asked = incoming(
        platform,
        a_file(one(amount="1000.00", currency="CNY", request_id="")),
        shared_by=[project, other],
        weights={project.pk: Decimal(9), other.pk: Decimal(8)},
        user=finance,
        project=project,
    )
    with pytest.raises(NotFinanceError):
        import_document(incoming=asked)
    a_keeper(other)
    assert import_document(incoming=asked).functional_total == 1000
    assert by(project, "document__project") == {None: Decimal("529.41")}
    assert by(other, "document__project") == {None: Decimal("470.59")}
    share = CostEntry.objects.get(project=other)
    said = signed_in(finance).get(f"/finance/borealis/entries/{share.pk}/").content.decode()
    assert "INV-1" in said
    assert "of the organisation" in said
    assert "/documents/" + str(platform.documents.get().uuid) not in said  # that page is of no project


def test_only_finance_imports_and_only_for_its_own_suppliers(supplier: Supplier) -> None:
    with pytest.raises(NotFinanceError):
        imported(supplier, one(), user=a_user("ops"))
    with pytest.raises(OtherSupplierError):
        imported(supplier, one(), project=a_project_with_books("borealis"))


def test_billing_events_wait_for_the_invoice(project: Project, supplier: Supplier) -> None:
    events = imported(supplier, one(), one(request_id="r-2"), kind=DocumentKind.BILLING_EVENTS, number="E-1")
    assert events.functional_total == Decimal("56.99")
    assert by(project, "kind") == {"accrual": Decimal("56.99")}
    overlapping = imported(
        supplier, one(request_id="r-2"), one(request_id="r-3"), kind=DocumentKind.BILLING_EVENTS, number="E-2"
    )
    assert (overlapping.added, overlapping.known) == (1, 1)
    imported(supplier, one(amount="4.10"), one(request_id="r-2"))
    assert by(project, "grade") == {"A": Decimal("57.70"), "B": Decimal("28.49")}


def test_what_no_ledger_could_keep_is_refused(supplier: Supplier) -> None:
    with pytest.raises(AmountTooLargeError):
        imported(supplier, one(amount="999999999999999"))
    assert problems(supplier, one(), number=" ") == [("needed", None, "number")]
    assert problems(supplier, one(), number="n" * 121) == [("too-long", None, "number")]
    assert problems(supplier, one(), number="a\x00") == [("needed", None, "number")]


def test_what_is_kept_beside_a_line_can_be_kept(supplier: Supplier) -> None:
    focus = {
        "BilledCost": "4.00", "BillingCurrency": "USD", "ChargeCategory": "Usage",
        "ChargePeriodStart": "2026-09-14T00:00:00Z", "Odd\x01": "a\x00b",
    }  # fmt: skip
    imported(supplier, focus)
    assert SupplierLine.objects.get().raw["Odd\ufffd"] == "a\ufffdb"
