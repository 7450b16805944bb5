from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction

from billing.entry import NewEntry
from billing.exchange import Rate
from billing.models import CostEntry, EntryKind, Period
from billing.refusals import PostingRefusedError
from billing.services.open_books import open_books
from billing.services.open_period import PeriodOnHoldError, period_for
from billing.services.post_entries import AmountNotMultipleError, NoAmountError, NoBooksError, post_entries
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from tests.billing.world import OCTOBER, SEPTEMBER, a_cost, close
from tests.builders import a_project


def code_of(error: pytest.ExceptionInfo[DomainError]) -> str:
    return error.value.code


def test_what_was_pulled_is_posted_once(project: Project) -> None:
    entries = [a_cost(project, source_key="usage:1"), a_cost(project, "1.50", source_key="usage:2")]
    first = post_entries(entries=entries, actor="pull")
    again = post_entries(entries=[*entries, a_cost(project, "2.00", source_key="usage:3")], actor="pull")
    assert (first.posted, first.skipped) == (2, 0)
    assert (again.posted, again.skipped) == (1, 2)
    assert [entry.amount for entry in again.entries()] == [Decimal("2.00")]
    assert [entry.seq for entry in CostEntry.objects.order_by("seq")] == [1, 2, 3]


def test_a_foreign_amount_is_converted_to_the_minor_unit(project: Project) -> None:
    rate = Rate(Decimal("7.1234"), date(2026, 9, 30), "bank")
    foreign = a_cost(project, None, native_amount=Decimal("48.37"), native_currency="USD", exchange=rate)
    entry = post_entries(entries=[foreign], actor="finance").entries().get()
    assert (entry.amount, entry.native_amount, entry.fx_rate) == (
        Decimal("344.56"),
        Decimal("48.37"),
        rate.rate,
    )
    assert (entry.fx_date, entry.fx_source, entry.terms_id is None) == (rate.day, "bank", False)
    with pytest.raises(NoAmountError):
        post_entries(
            entries=[a_cost(project, None, native_amount=Decimal(1), native_currency="USD")], actor="x"
        )


def test_a_closed_month_takes_nothing_and_its_late_cost_is_a_correction_of_the_next(project: Project) -> None:
    close(project, SEPTEMBER)
    with pytest.raises(PostingRefusedError) as refused:
        post_entries(entries=[a_cost(project, posted=SEPTEMBER)], actor="finance")
    assert code_of(refused) == "period-closed"
    late = post_entries(entries=[a_cost(project)], actor="finance").entries().get()
    assert (late.posted_period, late.origin_period, late.correction) == (OCTOBER, SEPTEMBER, True)


def test_a_month_on_hold_takes_what_finance_posts_and_no_pull(project: Project) -> None:
    Period.objects.filter(project=project, month=SEPTEMBER).update(status="hold")
    with pytest.raises(PeriodOnHoldError):
        post_entries(entries=[a_cost(project)], actor="pull", automatic=True)
    assert period_for(project=project, origin=date(2026, 9, 9)) == SEPTEMBER
    close(project, SEPTEMBER)
    Period.objects.filter(project=project, month=OCTOBER).update(status="hold")
    assert period_for(project=project, origin=SEPTEMBER) == date(2026, 11, 1)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"amount": Decimal("-4.00")}, "wrong-sign"),
    ({"posted": date(2026, 8, 1)}, "period-unknown"),
    ({"kind": EntryKind.BEARER_TRANSFER, "transfer": uuid4()}, "transfer-adds-up"),
    ({"amount": Decimal(10) ** 13}, "amount-too-large"),
    ({"amount": Decimal("0.005")}, "amount-is-multiple"),
]


@pytest.mark.parametrize(("changes", "code"), REFUSED, ids=[code for _, code in REFUSED])
def test_what_is_refused_leaves_nothing(project: Project, changes: dict[str, Any], code: str) -> None:
    with pytest.raises(DomainError) as refused:
        post_entries(entries=[a_cost(project), replace(a_cost(project), **changes)], actor="finance")
    assert code_of(refused) == code
    assert refused.value.message
    assert not CostEntry.objects.exists()


def test_a_reversal_is_posted_once_and_not_taken_back(project: Project) -> None:
    original = post_entries(entries=[a_cost(project)], actor="finance").entries().get()
    back = a_cost(project, "-4.00", kind=EntryKind.REVERSAL, reverses_id=original.pk)
    reversal = post_entries(entries=[back], actor="finance").entries().get()
    for entry, code in (
        (back, "reversed-already"),
        (replace(back, reverses_id=reversal.pk, amount=Decimal(4)), "not-reversible"),
    ):
        with pytest.raises(PostingRefusedError) as refused:
            post_entries(entries=[entry], actor="finance")
        assert code_of(refused) == code


def test_another_project_is_refused_and_one_without_books_too(project: Project) -> None:
    other = a_project("borealis")
    with pytest.raises(NoBooksError):
        post_entries(entries=[a_cost(other)], actor="finance")
    open_books(project=other, since=SEPTEMBER)
    foreign = post_entries(entries=[a_cost(other)], actor="finance").entries().get()
    with pytest.raises(PostingRefusedError) as refused:
        post_entries(entries=[a_cost(project, corrects_id=foreign.pk)], actor="finance")
    assert code_of(refused) == "other-project"


def test_two_projects_are_posted_at_once(project: Project) -> None:
    other = a_project("borealis")
    open_books(project=other, since=SEPTEMBER)
    posted = post_entries(entries=[a_cost(project), a_cost(other), a_cost(other)], actor="finance")
    assert [entry.project_id for entry in posted.entries()] == [project.pk, other.pk, other.pk]


def test_chunks_and_savepoints_keep_one_chain(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("billing.services.post_entries.CHUNK", 2)

    def five() -> Iterator[NewEntry]:
        yield from (a_cost(project, source_key=f"usage:{number}") for number in range(5))

    with transaction.atomic():
        post_entries(entries=five(), actor="pull")
        transaction.set_rollback(True)
    assert post_entries(entries=five(), actor="pull").posted == 5
    rows = list(CostEntry.objects.order_by("seq").values_list("prev_hash", "hash"))
    assert [prev for prev, _ in rows] == ["", *(own for _, own in rows[:-1])]


def test_an_amount_is_a_multiple_of_the_quantum(project: Project) -> None:
    with pytest.raises(AmountNotMultipleError):
        post_entries(entries=[a_cost(project, "0.001")], actor="finance")


def test_opening_books_twice_changes_nothing(project: Project) -> None:
    assert open_books(project=project, currency="JPY").currency == "CNY"
    assert Period.objects.filter(project=project).earliest("month").month == SEPTEMBER
