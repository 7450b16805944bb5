"""D4 to D7 and D9, each with something in it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from billing.models import (
    Bearer,
    Cause,
    DocumentKind,
    Duplicate,
    LineMatch,
    Quote,
    Scope,
    Supplier,
    SupplierDocument,
    SupplierLine,
    Usage,
)
from billing.reports.figures import figures
from billing.reports.registry import REPORTS
from billing.reports.scope import ReportScope
from once_delivery.ledger.models import Action
from reconciliation.models import Approval, Case, CaseEvent
from tests.billing.reports.world import (
    DAY,
    OCTOBER,
    SEPTEMBER,
    Books2026,
    close,
    entry,
    post,
    september,
)
from tests.builders import a_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> Books2026:
    return september()


@pytest.fixture
def scope(world: Books2026) -> ReportScope:
    return ReportScope(world.project, SEPTEMBER, SEPTEMBER)


def table(code: str, scope: ReportScope) -> list[dict[str, Any]]:
    names = [column.name for column in REPORTS[code].columns]
    return [dict(zip(names, row, strict=True)) for row in REPORTS[code].rows(scope)]


def a_line(document: SupplierDocument, number: int, amount: str, request_id: str = "") -> SupplierLine:
    return SupplierLine.objects.create(
        document=document,
        number=number,
        key=str(number),
        request_id=request_id,
        used_on=date(2026, 9, 14),
        amount=Decimal(amount),
        functional_amount=Decimal(amount),
        sub_bucket="generation",
    )


def a_document(world: Books2026) -> SupplierDocument:
    supplier, _ = Supplier.objects.get_or_create(project=world.project, code="fal", defaults={"name": "fal"})
    return SupplierDocument.objects.create(
        project=world.project,
        supplier=supplier,
        kind=DocumentKind.USAGE,
        number="U-1",
        dated=date(2026, 9, 21),
        period=SEPTEMBER,
        currency="CNY",
        total=Decimal("9.00"),
        functional_total=Decimal("9.00"),
        file_name="u.csv",
        file_sha256="0" * 64,
        raw=b"",
    )


def test_suppliers_lines_beside_attempts(world: Books2026, scope: ReportScope) -> None:
    document, attempt = a_document(world), world.attempts["T1", 1]
    matched, orphan = a_line(document, 1, "4.00", "r-1"), a_line(document, 2, "5.00", "r-2")
    LineMatch.objects.create(
        line=matched, project=world.project, status="matched", attempt=attempt, expected=Decimal("3.90")
    )
    LineMatch.objects.create(line=orphan, project=world.project, status="orphan", owner=a_user("finance"))
    Usage.objects.create(
        project=world.project,
        task=world.tasks["T2"],
        attempt=world.attempts["T2", 1],
        source_key="receipt:1",
        provider="fal",
        request_id="r-3",
        used_at=datetime(2026, 9, 20, tzinfo=UTC),
    )
    found = table("supplier_lines", scope)
    assert [(row["document"], row["line"], row["status"], row["request_id"]) for row in found] == [
        ("U-1", 1, "MATCHED", "REQ-r-1"),
        ("U-1", 2, "ORPHAN_LINE", "REQ-r-2"),
        (None, None, "ORPHAN_ATTEMPT", "REQ-r-3"),
    ]
    assert (found[0]["delta"], found[0]["our_attempt"]) == (Decimal("0.10"), f"ATT-{attempt.token}")
    assert (found[1]["age_days"], found[1]["owner"]) == (10, "finance")  # to the end of the month
    by_code = {one.code: one for one in figures(scope)}
    assert [str(by_code[code].value) for code in ("unmatched_lines", "unknown_costs")] == ["1", "1"]
    assert table("supplier_lines", ReportScope(world.project, OCTOBER, OCTOBER)) == []


def test_duplicates_and_what_is_to_be_settled(world: Books2026, scope: ReportScope) -> None:
    Duplicate.objects.create(
        project=world.project,
        asset=world.assets["T4"],
        survivor=world.assets["T1"],
        status="decided",
        cause=Cause.CLIENT_DUPLICATE,
        record="two SKUs, one picture",
        found_at=DAY,
        decided_by=a_user("ops"),
        decided_at=DAY,
    )
    waiting = {"bearer": Bearer.UNDETERMINED, "cause": Cause.UNDETERMINED, "grade": "D", "kind": "accrual"}
    attempt = world.attempts["T3", 1]
    post(entry(world.project, "7.00", task_id=world.tasks["T3"].pk, attempt_id=attempt.pk, **waiting))
    found = table("duplicates", scope)
    (duplicate,) = [row for row in found if row["case"].startswith("DUP-")]
    assert (duplicate["amount"], duplicate["bearer"], duplicate["state"]) == (
        Decimal("121.48"),
        "client",
        "DECIDED",
    )
    assert (duplicate["decided_by"], duplicate["decision_record"]) == ("ops", "two SKUs, one picture")
    states = {(row["cause"], row["bearer"]): (row["state"], row["amount"]) for row in found}
    assert states["undetermined", "undetermined"] == ("UNSETTLED", Decimal("7.00"))
    assert states["provider_double_bill", "provider"] == ("CLAIM", Decimal("28.49"))


def test_what_an_asset_cost_stands_in_one_of_its_pairs(world: Books2026, scope: ReportScope) -> None:
    said = {"project": world.project, "asset": world.assets["T4"], "found_at": DAY, "decided_at": DAY}
    Duplicate.objects.create(survivor=world.assets["T2"], status="dismissed", record="two", **said)
    Duplicate.objects.create(survivor=world.assets["T1"], status="decided", record="one", **said)
    rows = [row for row in table("duplicates", scope) if row["case"].startswith("DUP-")]
    assert sorted((row["decision_record"], row["amount"]) for row in rows) == [
        ("one", Decimal("121.48")),
        ("two", Decimal(0)),
    ]
    assert len({row["case"] for row in rows}) == 2


def test_the_queue_with_its_pauses_and_amounts(world: Books2026, scope: ReportScope) -> None:
    task, ops = world.tasks["T3"], a_user("ops")
    opened = datetime(2026, 9, 20, 8, tzinfo=UTC)
    action = Action.objects.get(task=task)
    case = Case.objects.create(
        project=world.project,
        action=action,
        kind="uncertain",
        reason="reset",
        owner=ops,
        opened_at=opened,
        due_at=opened + timedelta(hours=8),
    )
    Approval.objects.create(
        project=world.project,
        case=case,
        decision="not_there",
        by_client=True,
        action_revision=0,
        status="given",
        proposed_by=ops,
        proposed_at=opened + timedelta(hours=1),
        answered_by=a_user("client"),
        answered_at=opened + timedelta(hours=3),
    )
    for kind in ("decided", "undone"):
        CaseEvent.objects.create(
            project=world.project, case=case, kind=kind, user=ops, at=opened + timedelta(hours=4)
        )
    waiting = {"bearer": Bearer.UNDETERMINED, "cause": Cause.UNDETERMINED, "grade": "D", "kind": "accrual"}
    post(entry(world.project, "7.00", task_id=task.pk, **waiting))
    (row,) = table("queue", scope)
    assert (row["item"], row["owner"], row["sla_state"]) == (f"CASE-{case.uuid}", "ops", "OVERDUE")
    assert (row["paused_minutes"], row["amount_at_risk"], row["reopened_count"]) == (120, Decimal("7.00"), 1)
    found = {one.code: one for one in figures(scope)}
    assert [str(found[code].value) for code in ("uncertain_open", "uncertain_at_risk")] == ["1", "7.00"]
    assert found["paused_hours"].value == Decimal("2.0")
    look = found["first_look_in_time"]
    assert (look.n, look.numerator) == (1, Decimal(1))
    assert (found["reopened"].n, found["reopened"].value, found["reopened"].hidden) == (1, None, True)


def test_quotes_line_by_line(world: Books2026, scope: ReportScope) -> None:
    user = a_user("finance")
    frozen = Scope.objects.create(
        project=world.project,
        name="Autumn",
        currency="CNY",
        rate_day=SEPTEMBER,
        outputs=10,
        created_by=user,
        frozen_at=DAY,
    )
    codes = (
        "output",
        "client_round",
        "duplicate_check",
        "delivery",
        "reconciliation",
        "storage",
        "export",
        "platform_fee",
    )
    for vendor, price, more in (("Cheap", "1.00", {}), ("Dear", "2.00", {"vendor_rework": "3.00"})):
        prices = dict.fromkeys(codes, "0") | {"output": price} | more
        Quote.objects.create(
            project=world.project, scope=frozen, vendor=vendor, currency="CNY", prices=prices, saved_by=user
        )
    found = {(row["vendor"], row["line"]): row for row in table("quotes", scope)}
    cheap, dear = found["Cheap", "output"], found["Dear", "output"]
    assert (cheap["status"], cheap["rank"], cheap["normalised"], cheap["gap"]) == ("COMPARABLE", 1, 10, 0)
    assert (dear["status"], dear["rank"], dear["gap"]) == ("NON_COMPLIANT", None, 10)
    assert found["Dear", "vendor_rework"]["rule_breach"] == "yes"


def test_what_a_month_was_closed_on(world: Books2026, scope: ReportScope) -> None:
    assert [(row["status"], row["item"]) for row in table("certificates", scope)] == [("open", None)]
    period = world.project.periods.get(month=SEPTEMBER)
    period.certificate = {"gates": {"documents": True}, "totals": {"cost": "977.47"}}
    period.save()
    close(world.project, SEPTEMBER)
    found = table("certificates", ReportScope(world.project))
    assert {row["item"]: row["value"] for row in found if row["month"] == "2026-09"} == {
        "gates.documents": "True",
        "totals.cost": "977.47",
    }
    assert found[0]["certificate_hash"] == f"sha256:{'0' * 64}"
