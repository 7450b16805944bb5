"""From accrual to invoice to credit note, and what people answer: the total never changes, only where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from billing.models import CostEntry, DocumentKind, LineMatch, Supplier, SupplierDocument, SupplierLine, Usage
from billing.people import NotFinanceError
from billing.selectors.queue import candidates_of, waiting_lines, waiting_sum
from billing.selectors.suppliers import control_of, documents_of, organisations_documents
from billing.services.answer_line import (
    Answer,
    NotAnAnswerError,
    NotAnOwnerError,
    UnknownAttemptError,
    UnknownLineError,
    answer_line,
)
from billing.services.import_document import import_document
from billing.services.place_line import LineCreditedError
from billing.services.pull_usage import pull_usage
from billing.two_people import SecondPersonNeededError
from once_delivery.accounts.models import Project, User
from once_delivery.ledger.models import Attempt
from tests.billing.deliveries import at, confirmed
from tests.billing.suppliers.files import json_bytes, one
from tests.billing.suppliers.world import (
    a_rate,
    a_world,
    actions_for,
    an_attempt,
    entries_sum,
    imported,
    incoming,
    problems,
    statuses,
    used,
)
from tests.billing.world import OCTOBER, SEPTEMBER, a_keeper, a_project_with_books, by, close
from tests.builders import a_user

pytestmark = pytest.mark.django_db
CNY = {"currency": "CNY"}


@pytest.fixture
def project() -> Project:
    return a_world()[0]


@pytest.fixture
def supplier(project: Project) -> Supplier:
    return project.suppliers.get()


def told(project: Project, *usages: dict[str, Any]) -> list[Attempt]:
    """One delivered attempt a usage, all told and accrued."""
    attempts = []
    for action, usage in zip(actions_for(project, len(usages)), usages, strict=True):
        attempts.append(an_attempt(action, at(14, 9), usage, result_id=f"result-{action.pk}"))
    for attempt in attempts:
        attempt.refresh_from_db()
    pull_usage(project=project, actor="pull")
    return attempts


def priced(name: str, amount: str) -> dict[str, Any]:
    return used(name, amount=amount, currency="CNY")


def the_line(**where: Any) -> SupplierLine:
    return SupplierLine.objects.get(**where)


@pytest.mark.parametrize("closed", [False, True])
def test_an_accrual_gives_way_to_the_invoice(project: Project, supplier: Supplier, *, closed: bool) -> None:
    told(project, priced("r-1", "45.00"))
    if closed:
        close(project, SEPTEMBER)
    imported(supplier, one(amount="47.30", **CNY), late=closed)
    posted = by(project, "posted_period")
    if closed:
        assert posted == {SEPTEMBER: Decimal("45.00"), OCTOBER: Decimal("2.30")}
        late = CostEntry.objects.filter(posted_period=OCTOBER)
        assert all(late.values_list("correction", flat=True))
    else:
        assert posted == {SEPTEMBER: Decimal("47.30")}
    assert by(project, "origin_period") == {SEPTEMBER: Decimal("47.30")}
    assert statuses() == ["amount"]  # the provider had said 45.00
    assert Usage.objects.get().settled


def test_a_matched_line_stands_at_its_attempt(project: Project, supplier: Supplier) -> None:
    (attempt,) = told(project, priced("r-1", "4.00"))
    imported(supplier, one(**CNY), one(**CNY))
    assert statuses() == ["matched", "double"]
    assert by(project, "attempt", "bearer", "cause") == {
        (attempt.pk, "client", "normal"): Decimal("4.00"),
        (None, "provider", "provider_double_bill"): Decimal("4.00"),
    }
    assert LineMatch.objects.get(status="double").attempt == attempt


def test_the_cause_of_a_resent_attempt_is_known(project: Project, supplier: Supplier) -> None:
    (action,) = actions_for(project, 1)
    lost = an_attempt(action, at(14, 8), priced("r-1", "10.00"))
    again = an_attempt(action, at(14, 9), priced("r-2", "10.00"), result_id=f"result-{lost.pk + 1}")
    confirmed(action, again)
    pull_usage(project=project, actor="pull")
    imported(supplier, one(amount="10.00", **CNY), one(amount="10.00", request_id="r-2", **CNY))
    assert by(project, "attempt", "bearer") == {
        (lost.pk, "vendor"): Decimal("10.00"),
        (again.pk, "client"): Decimal("10.00"),
    }
    credit = one(amount="-10.00", **CNY)
    a_rate(project, date(2026, 10, 9), Decimal(7))
    imported(supplier, credit, kind=DocumentKind.CREDIT_NOTE, number="CN-1", dated=date(2026, 10, 9))
    assert by(project, "attempt", "bearer") == {(again.pk, "client"): Decimal("10.00")}


def test_usage_that_is_told_later_finds_its_line(project: Project, supplier: Supplier) -> None:
    imported(supplier, one(**CNY), one(request_id="r-2", **CNY))
    assert by(project, "bearer") == {"undetermined": Decimal("8.00")}
    (attempt,) = told(project, priced("r-1", "4.00"))
    assert statuses() == ["matched", "orphan"]
    assert by(project, "attempt", "bearer") == {
        (attempt.pk, "client"): Decimal("4.00"),
        (None, "undetermined"): Decimal("4.00"),
    }
    before = CostEntry.objects.count()
    pull_usage(project=project, actor="pull")
    assert CostEntry.objects.count() == before


def test_a_credit_note_gives_back_what_the_line_came_to(project: Project, supplier: Supplier) -> None:
    told(project, used("r-1"))
    imported(supplier, one(), one())
    a_rate(project, date(2026, 10, 20), Decimal("7.10"))
    result = imported(
        supplier, one(amount="4.00"), kind=DocumentKind.CREDIT_NOTE, number="CN-1", dated=date(2026, 10, 20),
        credits_number="INV-1",
    )  # fmt: skip
    assert result.document is not None
    assert (result.total, result.functional_total) == (Decimal("-4.00"), Decimal("-28.40"))
    assert entries_sum(result.document) == Decimal("-28.40")
    assert by(project, "kind", document=result.document) == {
        "supplier_credit": Decimal("-28.49"),
        "fx_diff": Decimal("0.09"),
    }
    # what was billed twice goes first, and the month that it belongs to is the line's
    assert by(project, "bearer", kind__in=["charge", "supplier_credit"]) == {"client": Decimal("28.50")}
    assert result.document.entries.get(kind="supplier_credit").origin_period == SEPTEMBER
    assert (statuses("CN-1"), statuses()) == (["matched"], ["matched", "double"])


def test_more_than_was_billed_is_not_given_back(project: Project, supplier: Supplier) -> None:
    imported(supplier, one(**CNY))
    note: dict[str, Any] = {"kind": DocumentKind.CREDIT_NOTE, "number": "CN-1"}
    half = imported(supplier, one(amount="1.50", **CNY), **note)
    assert half.functional_total == Decimal("-1.50")
    assert problems(supplier, one(amount="2.51", **CNY), kind=DocumentKind.CREDIT_NOTE, number="CN-2") == [
        ("credit-too-large", 2, "F (amount)")
    ]
    assert problems(supplier, one(credits="9", **CNY), **note, credits_number="INV-1") == [
        ("unknown-credited-line", 2, "H (credits)")
    ]
    assert problems(supplier, one(**CNY), **note, credits_number="INV-9")[0][0] == "unknown-document"
    assert problems(supplier, one(amount="1", **CNY), one(amount="-1", **CNY), **note)[0][0] == "mixed-signs"
    imported(supplier, one(amount="2.50", **CNY), kind=DocumentKind.CREDIT_NOTE, number="CN-3")
    assert by(project, "bearer") == {}


def test_a_credit_for_nothing_that_is_known_waits(
    project: Project, supplier: Supplier, finance: User
) -> None:
    imported(supplier, one(amount="-3.00", request_id="r-9", **CNY), kind=DocumentKind.CREDIT_NOTE)
    assert statuses() == ["orphan"]
    answer_line(project=project, line=the_line(), answer=Answer.GENERAL, user=finance)
    assert by(project, "bearer", "cause") == {("client", "normal"): Decimal("-3.00")}


def test_days_are_shared_by_usage(project: Project) -> None:
    supplier = Supplier.objects.create(project=project, code="openai", name="OpenAI")
    uses = [used("", provider="openai", model="gpt-image-1", units=units) for units in ("1", "1", "1")]
    attempts = told(project, *uses)
    bucket = {
        "start_time": 1789344000,
        "end_time": 1789430400,
        "results": [{"amount": {"value": 100, "currency": "cny"}, "line_item": "gpt-image-1, output"}],
    }
    data = json_bytes({"data": [bucket]})
    result = import_document(incoming=incoming(supplier, data, file_name="costs.json"))
    assert result.shape == "openai"
    assert by(project, "attempt") == {
        attempts[0].pk: Decimal("33.34"),
        attempts[1].pk: Decimal("33.33"),
        attempts[2].pk: Decimal("33.33"),
    }
    assert LineMatch.objects.get().matched_by == "usage_share"


def test_two_fit_and_a_person_says_which(project: Project, supplier: Supplier, finance: User) -> None:
    first, second = told(project, used(""), used(""))
    imported(supplier, one(request_id="", used_at="2026-09-14T09:05:00Z", **CNY))
    (match,) = waiting_lines(project)
    assert match.status == "ambiguous"
    assert waiting_sum(project) == (1, Decimal("4.00"))
    assert {one.attempt for one in candidates_of(match)} == {first, second}
    answer_line(project=project, line=match.line, answer=Answer.ATTEMPT, attempt=second, user=finance)
    assert by(project, "attempt", "bearer") == {(second.pk, "client"): Decimal("4.00")}
    assert not waiting_lines(project)
    answer_line(project=project, line=match.line, answer=Answer.ATTEMPT, attempt=first, user=finance)
    assert by(project, "attempt") == {first.pk: Decimal("4.00")}


def test_answers_move_the_cost_and_keep_the_total(
    project: Project, supplier: Supplier, finance: User
) -> None:
    imported(supplier, one(**CNY), one(request_id="r-2", **CNY), one(request_id="r-3", **CNY))
    lines = list(SupplierLine.objects.order_by("number"))
    answer_line(project=project, line=lines[0], answer=Answer.GENERAL, user=finance)
    answer_line(
        project=project,
        line=lines[1],
        answer=Answer.CLAIM,
        claim="C-17",
        user=finance,
        note="asked on Monday",
    )
    answer_line(project=project, line=lines[2], answer=Answer.OWNER, owner=finance, user=finance)
    assert by(project, "bearer", "cause") == {
        ("client", "normal"): Decimal("4.00"),
        ("provider", "provider_fault"): Decimal("4.00"),
        ("undetermined", "undetermined"): Decimal("4.00"),
    }
    assert [match.line for match in waiting_lines(project)] == [lines[2]]
    document = SupplierDocument.objects.get()
    control = control_of(document)
    assert (control.total, control.posted) == (Decimal("12.00"), Decimal("12.00"))
    assert control.matched + control.orphans == control.total
    assert [one.__dict__["waiting"] for one in documents_of(project)] == [1]


def test_an_answer_must_fit(project: Project, supplier: Supplier, finance: User) -> None:
    imported(supplier, one(amount="2000.00", **CNY))
    line = the_line()
    other = a_project_with_books("borealis")
    (action,) = actions_for(other, 1)
    foreign = an_attempt(action, at(3))
    asked: dict[str, Any] = {"project": project, "line": line, "user": finance}
    with pytest.raises(NotFinanceError):
        answer_line(**asked | {"user": a_user("ops")}, answer=Answer.GENERAL)
    with pytest.raises(SecondPersonNeededError):
        answer_line(**asked, answer=Answer.GENERAL)
    asked["second"] = a_keeper(project, "second")
    for answer in (Answer.ATTEMPT, Answer.CLAIM, Answer.OWNER, Answer.ACCEPT):
        with pytest.raises(NotAnAnswerError):
            answer_line(**asked, answer=answer)
    with pytest.raises(UnknownAttemptError):
        answer_line(**asked, answer=Answer.ATTEMPT, attempt=foreign)
    with pytest.raises(NotAnOwnerError):
        answer_line(**asked, answer=Answer.OWNER, owner=a_user("ops"))
    with pytest.raises(UnknownLineError):
        answer_line(**asked | {"project": other, "user": a_keeper(other)}, answer=Answer.GENERAL)
    assert statuses() == ["orphan"]


def test_what_was_given_back_stays_where_it_is(project: Project, supplier: Supplier, finance: User) -> None:
    imported(supplier, one(**CNY))
    imported(supplier, one(amount="1.00", **CNY), kind=DocumentKind.CREDIT_NOTE, number="CN-1")
    with pytest.raises(LineCreditedError):
        answer_line(
            project=project, line=the_line(document__number="INV-1"), answer=Answer.GENERAL, user=finance
        )


def test_a_billing_event_tells_what_the_answer_did_not(project: Project, supplier: Supplier) -> None:
    (attempt,) = told(project, used("r-1"))
    assert by(project, "kind") == {}
    imported(supplier, one(**CNY), kind=DocumentKind.BILLING_EVENTS, number="E-1")
    assert by(project, "attempt", "grade") == {(attempt.pk, "B"): Decimal("4.00")}
    imported(supplier, one(amount="4.10", **CNY))
    assert by(project, "attempt", "grade") == {(attempt.pk, "A"): Decimal("4.10")}
    assert statuses() == ["amount"]


def test_an_event_that_nobody_knew_is_found_later(project: Project, supplier: Supplier) -> None:
    imported(supplier, one(**CNY), kind=DocumentKind.BILLING_EVENTS, number="E-1")
    assert by(project, "attempt", "grade") == {(None, "B"): Decimal("4.00")}
    (attempt,) = told(project, used("r-1"))
    assert by(project, "attempt", "grade") == {(attempt.pk, "B"): Decimal("4.00")}
    imported(supplier, one(**CNY))
    assert by(project, "attempt", "grade") == {(attempt.pk, "A"): Decimal("4.00")}


def test_a_usage_report_is_learned_from_and_posts_nothing_itself(
    project: Project, supplier: Supplier
) -> None:
    (attempt,) = told(project, used("r-1"))
    imported(supplier, one(**CNY), kind=DocumentKind.USAGE, number="U-1")
    assert by(project, "kind") == {}
    pull_usage(project=project, actor="pull")
    assert by(project, "attempt", "grade") == {(attempt.pk, "C"): Decimal("4.00")}


def test_only_who_keeps_all_books_sees_an_organisations_document(project: Project, finance: User) -> None:
    other = a_project_with_books("borealis")
    both = a_keeper(project, "both")
    a_keeper(other, "both")
    platform = Supplier.objects.create(code="platform", name="Platform", sub_bucket="platform")
    imported(
        platform, one(amount="10", request_id="", **CNY), project=project, shared_by=[project, other],
        weights={project.pk: Decimal(1), other.pk: Decimal(1)}, user=both,
    )  # fmt: skip
    assert organisations_documents(both).count() == 1
    assert organisations_documents(finance).count() == 0
    assert documents_of(project).count() == 0


NUMBERS: Iterator[int] = count(1)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["r-1", "r-2", "r-9", ""]),
            st.decimals("0.000001", "90", places=6),
            st.sampled_from(["generation", "storage"]),
            st.sampled_from(["charge", "credit"]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_matched_and_orphaned_lines_sum_to_the_document(
    project: Project, supplier: Supplier, rows: list[tuple[str, Decimal, str, str]]
) -> None:
    if not Usage.objects.exists():
        told(project, used("r-1"), used("r-2"))
    lines = [
        one(
            request_id=name if category == "charge" else "",
            amount=str(amount),
            sub_bucket=bucket,
            category=category,
        )
        for name, amount, bucket, category in rows
    ]
    result = imported(supplier, *lines, number=f"P-{next(NUMBERS)}")
    assert result.document is not None
    control = control_of(result.document)
    assert control.posted == control.total == result.functional_total
    assert sum(amount for _, amount in control.by_status.values()) == control.total
    assert control.matched + control.orphans == control.total
