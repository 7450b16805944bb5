"""I1 to I5 by raw SQL: what PostgreSQL refuses whoever writes."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import transaction

from billing.models import AllocationRun, CostEntry
from once_delivery.accounts.models import Project
from tests.billing.deliveries import at
from tests.billing.raw_rows import NOBODY, a_document, a_row, a_unit, an_asset, commit, inserted, refused, sql
from tests.billing.world import NOVEMBER, OCTOBER, SEPTEMBER, a_project_with_books, close

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return a_project_with_books()


KEPT = ["costentry", "unitentry", "allocationrun", "supplierdocument", "supplierline", "terms", "fxrate"]


def test_i1_what_is_posted_stays(project: Project) -> None:
    a_row(project)
    asset = an_asset(project)
    a_unit(asset, 1, "accepted")
    for statement in (
        "UPDATE billing_costentry SET amount = 5",
        "DELETE FROM billing_costentry",
        "UPDATE billing_unitentry SET sign = -1",
        "DELETE FROM billing_unitentry",
        "UPDATE billing_terms SET output_fee = 1",
    ):
        with refused("append_only"), transaction.atomic():
            sql(statement)
    sql("SET LOCAL once.may_truncate = 'off'")
    for table in KEPT:
        with refused("append_only"), transaction.atomic():
            sql("SET CONSTRAINTS ALL IMMEDIATE")
            sql(f"TRUNCATE billing_{table} CASCADE")


def test_i2_a_closed_month_takes_nothing_and_stays_closed(project: Project) -> None:
    asset = an_asset(project)
    close(project, SEPTEMBER)
    with refused("period_closed"), transaction.atomic():
        a_row(project)
    with refused("period_closed"), transaction.atomic():
        a_unit(asset, 1, "accepted")
    with refused("period_unknown"), transaction.atomic():
        a_row(project, posted_period=date(2025, 1, 1), origin_period=date(2025, 1, 1))
    for change in (
        "SET status = 'open'",
        "SET certificate = '{}', certificate_hash = 'y'",
        "SET month = '2026-08-01'",
    ):
        with refused("period_closed"), transaction.atomic():
            sql(f"UPDATE billing_period {change} WHERE month = %s", SEPTEMBER)
    with refused("period_closed"), transaction.atomic():
        sql("DELETE FROM billing_period WHERE month = %s", OCTOBER)
    with refused("period_arrow"), transaction.atomic():
        sql("UPDATE billing_period SET status = 'closed', certificate_hash = 'x' WHERE month = %s", OCTOBER)


def test_a_month_begins_as_open_and_the_currency_stays_once_something_is_posted(project: Project) -> None:
    with refused("period_arrow"), transaction.atomic():
        inserted(
            "billing_period",
            project_id=project.pk,
            month=date(2026, 8, 1),
            status="closed",
            certificate="{}",
            certificate_hash="x",
            closed_at=at(1),
            closed_by_id=project.default_owner_id,
        )
    sql("UPDATE billing_books SET quantum = 0.001 WHERE project_id = %s", project.pk)
    a_row(project, amount="0.001")
    for statement in ("UPDATE billing_books SET currency = 'JPY'", "UPDATE billing_books SET quantum = 1"):
        with refused("books_stay"), transaction.atomic():
            sql(statement)


def test_i3_what_belongs_to_a_closed_month_is_a_correction_and_nothing_is_posted_before_it(
    project: Project,
) -> None:
    plain = a_row(project)
    close(project, SEPTEMBER)
    late = a_row(project, posted_period=OCTOBER, correction=False)
    ahead = a_row(project, posted_period=NOVEMBER, origin_period=OCTOBER, correction=True)
    said = dict(CostEntry.objects.values_list("pk", "correction"))
    assert said == {plain: False, late: True, ahead: False}  # whatever the writer says
    for posted_in, origin in ((OCTOBER, NOVEMBER), (OCTOBER, date(2026, 10, 2))):
        with refused("cost_entry_p"), transaction.atomic():
            a_row(project, posted_period=posted_in, origin_period=origin)


def test_i4_a_document_is_posted_to_its_total(project: Project) -> None:
    with refused("document_adds_up"), transaction.atomic():
        a_document(project, "10.00")
        commit()
    with transaction.atomic():
        document = a_document(project, "10.00")
        for amount in ("4.00", "6.00"):
            a_row(project, document_id=document.pk, amount=amount)
        commit()
    for amount in ("0.01", "1.00"):
        with refused("document_adds_up"), transaction.atomic():
            a_row(project, document_id=document.pk, amount=amount)
            commit()
    charged = CostEntry.objects.filter(document=document).earliest("seq")
    with refused("document_adds_up"), transaction.atomic():
        a_row(project, document_id=document.pk, kind="reversal", amount="-4.00", reverses_id=charged.pk)
        commit()


def test_i4_an_organisations_document_is_shared_whole_or_not_at_all(project: Project) -> None:
    other = a_project_with_books("borealis")
    document = a_document(None, "10.00")
    commit()
    with refused("document_adds_up"), transaction.atomic():
        a_row(project, document_id=document.pk, amount="4.00")
        commit()
    a_row(project, document_id=document.pk, amount="4.00")
    a_row(other, document_id=document.pk, amount="6.00")
    commit()


def test_i5_an_allocation_sums_to_what_it_allocates(project: Project) -> None:
    run = AllocationRun.objects.create(project=project, period=SEPTEMBER, level="tasks", method="sends/1")
    out = {"kind": "allocation_out", "amount": "-4.00", "allocation_run_id": run.pk}
    with refused("allocation_adds_up"), transaction.atomic():
        a_row(project, **out)
        commit()
    a_row(project, **out)
    a_row(project, kind="allocation_in", amount="4.00", allocation_run_id=run.pk)
    commit()


def test_both_sides_of_a_transfer_sum_to_nothing(project: Project) -> None:
    with refused("transfer_adds_up"), transaction.atomic():
        a_row(project, kind="bearer_transfer", transfer=NOBODY)
        commit()
    with refused("cost_entry_transfer_has_two_sides"), transaction.atomic():
        a_row(project, kind="bearer_transfer")
