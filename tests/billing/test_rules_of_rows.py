"""I6 to I9 by raw SQL, the chains, and groups of duplicates."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from psycopg.sql import SQL, Identifier

from billing.models import CostEntry, Duplicate, SupplierLine, UnitEntry
from once_delivery.accounts.models import Project
from tests.billing.deliveries import at, tasks_of
from tests.billing.raw_rows import a_document, a_row, a_unit, an_asset, commit, refused, sql
from tests.billing.world import SEPTEMBER, a_project_with_books

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return a_project_with_books()


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"kind": "charge", "amount": "-1"}, "cost_entry_sign_of_kind"),
        ({"kind": "labour", "amount": "-1"}, "cost_entry_sign_of_kind"),
        ({"kind": "supplier_credit", "amount": "1"}, "cost_entry_sign_of_kind"),
        ({"kind": "reversal", "amount": "-4.00"}, "cost_entry_reverses_what_it_names"),
        ({"kind": "gift"}, "cost_entry_kind_is_known"),
        ({"bucket": "P"}, "cost_entry_sub_bucket_of_bucket"),
        ({"bearer": "nobody"}, "cost_entry_bearer_is_known"),
        ({"cause": "whim"}, "cost_entry_cause_is_known"),
        ({"grade": "F"}, "cost_entry_grade_is_known"),
        ({"amount": "0.001"}, "amount_is_multiple"),
    ],
)
def test_i6_every_entry_is_of_one_kind_bucket_cause_and_bearer(
    project: Project, changes: dict[str, object], rule: str
) -> None:
    with refused(rule), transaction.atomic():
        a_row(project, **changes)


def test_i7_what_an_entry_names_is_of_its_project_and_its_task(project: Project) -> None:
    other = a_project_with_books("borealis")
    mine, theirs = an_asset(project), an_asset(other)
    (second,) = tasks_of(project, ("pan", 1))
    attempt = theirs.action.attempts.get()
    document = a_document(other, "0")
    for changes in (
        {"task_id": theirs.task_id},
        {"attempt_id": attempt.pk},
        {"asset_id": theirs.pk},
        {"document_id": document.pk},
        {"terms_id": other.terms.get().pk},
        {"corrects_id": a_row(other)},
        {"task_id": second.pk, "asset_id": mine.pk},
        {"task_id": second.pk, "attempt_id": mine.action.attempts.get().pk},
    ):
        with refused("other_project"), transaction.atomic():
            a_row(project, **changes)
    with refused("other_project"), transaction.atomic():
        a_unit(theirs, 1, "accepted", project_id=project.pk)


def test_i8_taken_back_once_whole_and_never_the_taking_back(project: Project) -> None:
    original, accrual = a_row(project), a_row(project, kind="accrual")
    back = {"kind": "reversal", "amount": "-4.00", "reverses_id": original}
    for changes, rule in (
        (back | {"amount": "-3.99"}, "reversal_is_whole"),
        (back | {"bearer": "vendor"}, "reversal_is_whole"),
        (back | {"cause": "vendor_fault"}, "reversal_is_whole"),
        (
            back | {"origin_period": SEPTEMBER, "posted_period": SEPTEMBER, "reverses_id": accrual},
            "not_reversible",
        ),
        (back | {"kind": "accrual_release"}, "not_reversible"),
    ):
        with refused(rule), transaction.atomic():
            a_row(project, **changes)
    taken_back = a_row(project, **back)
    release = a_row(project, kind="accrual_release", amount="-4.00", reverses_id=accrual)
    for again in (back, {"kind": "accrual_release", "amount": "-4.00", "reverses_id": accrual}):
        with refused("cost_entry_reversed_once"), transaction.atomic():
            a_row(project, **again)
    for reversed_id in (taken_back, release):
        with refused("not_reversible"), transaction.atomic():
            a_row(project, kind="reversal", amount="4.00", reverses_id=reversed_id)


def test_i9_an_asset_counts_as_none_or_as_one(project: Project) -> None:
    asset = an_asset(project)
    with refused("counted_once"), transaction.atomic():
        a_unit(asset, -1, "duplicate_found")
    a_unit(asset, 1, "accepted")
    with refused("counted_once"), transaction.atomic():
        a_unit(asset, 1, "survivor_promoted")
    for sign, reason in ((0, "accepted"), (2, "accepted"), (1, "duplicate_found"), (-1, "accepted")):
        with refused("unit_entry_sign_of_reason|counted_once"), transaction.atomic():
            a_unit(asset, sign, reason)
    a_unit(asset, -1, "acceptance_revoked")


def test_a_pair_has_one_row_which_stays(project: Project) -> None:
    first, second, third = (an_asset(project, name) for name in ("kettle", "pan", "pot"))
    theirs = an_asset(a_project_with_books("borealis"))
    found = {"project": project, "status": "decided", "found_at": at(20)}
    pair = Duplicate.objects.create(asset=second, survivor=first, **found)
    for asset, survivor, rule in (
        (second, first, "duplicate_once_a_pair"),
        (first, second, "duplicate_once_a_pair"),
        (third, third, "duplicate_of_another"),
        (theirs, first, "other_project"),
    ):
        with refused(rule), transaction.atomic():
            Duplicate.objects.create(asset=asset, survivor=survivor, **found)
    with refused("pair_stays"), transaction.atomic():
        Duplicate.objects.filter(pk=pair.pk).update(survivor=third)
    with refused("append_only"), transaction.atomic():
        sql("DELETE FROM billing_duplicate WHERE id = %s", pair.pk)


def test_no_two_of_a_group_are_said_to_be_two(project: Project) -> None:
    first, second, third = (an_asset(project, name) for name in ("kettle", "pan", "pot"))
    found = {"project": project, "found_at": at(20)}
    for status in ("dismissed", "wanted"):
        with refused("pairs_agree"), transaction.atomic():
            Duplicate.objects.create(asset=second, survivor=first, status="decided", **found)
            Duplicate.objects.create(asset=third, survivor=second, status=status, **found)
            commit()
            Duplicate.objects.create(asset=third, survivor=first, status="decided", **found)
            commit()
        with refused("pairs_agree"), transaction.atomic():
            Duplicate.objects.create(asset=second, survivor=first, status="decided", **found)
            Duplicate.objects.create(asset=third, survivor=second, status="decided", **found)
            Duplicate.objects.create(asset=third, survivor=first, status="suggested", **found)
            commit()
            Duplicate.objects.filter(status="suggested").update(status=status)
            commit()


def test_every_decision_is_kept_whoever_writes(project: Project) -> None:
    first, second = an_asset(project), an_asset(project, "pan")
    pair = Duplicate.objects.create(
        project=project, asset=second, survivor=first, status="suggested", found_at=at(20)
    )
    assert not pair.decisions.exists()
    for status, record in (
        ("decided", "one"),
        ("dismissed", "two"),
        ("dismissed", "three"),
        ("suggested", ""),
    ):
        sql("UPDATE billing_duplicate SET status = %s, record = %s WHERE id = %s", status, record, pair.pk)
        sql("UPDATE billing_duplicate SET found_at = now() WHERE id = %s", pair.pk)
    kept = pair.decisions.order_by("pk").values_list("status", "record")
    assert list(kept) == [("decided", "one"), ("dismissed", "two"), ("dismissed", "three"), ("suggested", "")]
    for statement in (
        "UPDATE billing_duplicatedecision SET record = 'x'",
        "DELETE FROM billing_duplicatedecision",
    ):
        with refused("append_only"), transaction.atomic():
            sql(statement)


def test_both_ledgers_are_numbered_and_chained_without_a_gap(project: Project) -> None:
    other = a_project_with_books("borealis")
    for one in (project, other, project):
        a_row(one, seq=99, hash="made up")
    with pytest.raises(IntegrityError), transaction.atomic():
        a_row(project, kind="gift")
    a_row(project)
    asset = an_asset(project)
    a_unit(asset, 1, "accepted")
    a_unit(asset, -1, "duplicate_found")
    for model, count in ((CostEntry, 3), (UnitEntry, 2)):
        rows = list(
            model.objects.filter(project=project).order_by("seq").values_list("seq", "prev_hash", "hash")
        )
        assert [seq for seq, _, _ in rows] == list(range(1, count + 1))
        assert [prev for _, prev, _ in rows] == ["", *(own for _, _, own in rows[:-1])]
        wrong = SQL("SELECT count(*) FROM {} e WHERE hash <> billing_hash(prev_hash, billing_said(e))")
        assert sql(wrong.format(Identifier(model._meta.db_table))) == [(0,)]


def test_a_line_is_of_its_document(project: Project) -> None:
    mine, others = a_document(project, "0"), a_document(project, "0", number="INV-2")
    line = SupplierLine.objects.create(
        document=others,
        number=1,
        key="1",
        used_on=SEPTEMBER,
        amount=0,
        functional_amount=0,
        sub_bucket="other",
    )
    with refused("other_project"), transaction.atomic():
        a_row(project, document_id=mine.pk, supplier_line_id=line.pk)
