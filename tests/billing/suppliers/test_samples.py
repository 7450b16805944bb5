from __future__ import annotations

from datetime import date
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from billing.models import DocumentKind, FxRate, Supplier, SupplierDocument
from billing.selectors.suppliers import control_of
from billing.services.import_document import import_document
from billing.services.import_prices import import_prices
from billing.suppliers.incoming import Incoming
from once_delivery.accounts.models import Project
from tests.billing.world import a_project_with_books, by

pytestmark = pytest.mark.django_db
SAMPLES = Path(__file__).parents[3] / "docs" / "samples" / "costs"
DATED = date(2026, 10, 31)


@pytest.fixture
def project() -> Project:
    made = a_project_with_books("demo")
    assert run("import_rates", "rates.csv", "--source", "ECB") == "New rates: 84.\n"
    return made


def run(command: str, name: str, *more: str) -> str:
    out = StringIO()
    call_command(command, "demo", SAMPLES / name, *more, "--language", "en", stdout=out)
    return out.getvalue()


def costs(name: str, *more: str, number: str = "FAL-2026-10", dated: str = "2026-10-31") -> str:
    told = ("--supplier", "fal", "--new-supplier", "fal", "--number", number, "--dated", dated)
    return run("import_costs", name, *told, *more)


def test_an_invoice_is_tried_and_imported(project: Project) -> None:
    tried = costs("fal-2026-10.focus.csv", "--total", "9.95", "--dry-run")
    assert tried.startswith("Document “FAL-2026-10”: 27 new lines, 0 known ones, read as focus from CSV.")
    assert tried.endswith("Dry run: nothing of this was kept.\n")
    assert not Supplier.objects.exists()
    costs("fal-2026-10.events.json", "--kind", "billing_events", number="EVENTS")
    assert costs("fal-2026-10.focus.csv", "--total", "9.95").endswith("Imported.\n")
    assert "0 new lines, 27 known ones" in costs("fal-2026-10.focus.csv")
    # events were accrued and released; what was billed twice is claimed
    assert by(project, "grade") == {"A": Decimal("70.66")}
    assert by(project, "bearer")["provider"] == Decimal("0.35")
    credit = ("--kind", "credit_note", "--credits", "FAL-2026-10")
    assert "1 new lines" in costs(
        "fal-2026-11.credit-note.csv", *credit, number="FAL-CN-1", dated="2026-11-05"
    )
    assert "provider" not in by(project, "bearer")


def test_a_month_adds_up(project: Project) -> None:
    for code, name in (
        ("openai", "openai-2026-10.costs.json"),
        ("anthropic", "anthropic-2026-10.cost-report.json"),
        ("oss", "storage-2026-10.xlsx"),
    ):
        supplier = Supplier.objects.create(
            project=project, code=code, name=code, sub_bucket="storage" if code == "oss" else "generation"
        )
        incoming = Incoming(
            project=project, supplier=supplier, kind=DocumentKind.INVOICE, number=f"{code}-1", dated=DATED,
            data=(SAMPLES / name).read_bytes(), file_name=name,
        )  # fmt: skip
        import_document(incoming=incoming)
    for document in SupplierDocument.objects.all():
        control = control_of(document)
        assert control.posted == control.total == sum(amount for _, amount in control.by_status.values())
    assert dict(SupplierDocument.objects.values_list("number", "total")) == {
        "openai-1": Decimal("1.2772"),
        "anthropic-1": Decimal("1.60485"),
        "oss-1": Decimal("40.95"),
    }


def test_a_broken_file_is_told_at_its_cells(project: Project) -> None:
    with pytest.raises(SystemExit) as left:
        costs("broken.csv", "--dry-run")
    assert left.value.code == 1
    assert not SupplierDocument.objects.exists()


def test_prices_come_from_a_map(project: Project) -> None:
    name = "prices.json"
    done = import_prices(
        project=project,
        data=(SAMPLES / name).read_bytes(),
        file_name=name,
        source="LiteLLM",
        valid_from=DATED,
    )
    assert done.new == 4
    assert FxRate.objects.filter(project=project, currency="USD").count() == 28


def test_wrong_use_is_told(project: Project) -> None:
    for more in (("--dated", "31.10.2026"), ("--total", "x"), ("--user", "nobody")):
        with pytest.raises(CommandError):
            costs("broken.csv", *more)
    with pytest.raises(CommandError, match="no project"):
        call_command("import_rates", "nowhere", SAMPLES / "rates.csv")
