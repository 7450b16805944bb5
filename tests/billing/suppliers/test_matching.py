"""Which attempt a line is for, and that what is posted is the document's total, whatever comes in whatever order."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from billing.models import LineStatus, Tax
from billing.suppliers.converting import convert, native_total
from billing.suppliers.line import ReadLine
from billing.suppliers.matching import Matcher, Sought
from billing.suppliers.sharing import weights_of
from billing.suppliers.uses import Used
from tests.billing.deliveries import at

CENT = Decimal("0.01")


def a_use(number: int, **changes: Any) -> Used:
    values: dict[str, Any] = {
        "attempt_id": number,
        "task_id": number,
        "usage_id": number,
        "day": date(2026, 9, 14),
        "used_at": at(14, 9),
        "provider": "fal",
        "model": "flux",
        "units": Decimal(1),
        "unit": "image",
    }
    return Used(**values | changes)


def a_line(**changes: Any) -> Sought:
    values: dict[str, Any] = {
        "number": 1,
        "day": date(2026, 9, 14),
        "amount": Decimal("4.00"),
        "sub_bucket": "generation",
        "used_at": at(14, 9) + timedelta(minutes=3),
        "dated": True,
        "model": "flux",
        "units": Decimal(1),
        "unit": "image",
    }
    return Sought(**values | changes)


def matcher(*used: Used, billed: set[tuple[str, str, str, str]] | None = None) -> Matcher:
    return Matcher(provider="fal", quantum=CENT, used=used, billed=billed or set())


def test_the_request_goes_first_then_the_key_then_likeness() -> None:
    uses = (a_use(1, request_id="r-1"), a_use(2, job_id="r-2"), a_use(3, idempotency_key="k"), a_use(4))
    one = matcher(*uses)
    assert one.match(a_line(request_id="r-1")).matched_by == "request_id"
    assert one.match(a_line(request_id="r-2")).used[0].attempt_id == 2
    assert one.match(a_line(idempotency_key="k")).matched_by == "idempotency_key"
    left = one.match(a_line())
    assert (left.matched_by, left.used[0].attempt_id) == ("model_time_units", 4)
    assert one.match(a_line()).status == LineStatus.ORPHAN  # each use is billed once


def test_an_unknown_request_is_not_guessed_at_what_has_another_name() -> None:
    assert matcher(a_use(1, request_id="r-1")).match(a_line(request_id="r-9")).status == LineStatus.ORPHAN
    assert matcher(a_use(1)).match(a_line(request_id="r-9")).status == LineStatus.MATCHED


def test_two_that_fit_are_a_persons() -> None:
    verdict = matcher(a_use(1), a_use(2)).match(a_line())
    assert verdict.status == LineStatus.AMBIGUOUS
    assert [one.attempt_id for one in verdict.candidates] == [1, 2]
    shared = matcher(a_use(1, request_id="r"), a_use(2, request_id="r")).match(a_line(request_id="r"))
    assert shared.status == LineStatus.AMBIGUOUS


def test_another_unit_model_time_or_supplier_does_not_fit() -> None:
    for changes in (
        {"units": Decimal(2)},
        {"unit": "second"},
        {"model": "sdxl"},
        {"provider": "openai"},
        {"settled": True},
        {"used_at": at(20), "day": date(2026, 9, 20)},
    ):
        assert matcher(a_use(1, **changes)).match(a_line()).status == LineStatus.ORPHAN


def test_the_day_before_is_told() -> None:
    verdict = matcher(a_use(1, used_at=at(13), day=date(2026, 9, 13))).match(a_line())
    assert (verdict.status, verdict.used[0].attempt_id) == (LineStatus.DATE, 1)
    late = matcher(a_use(1, request_id="r", day=date(2026, 9, 1))).match(a_line(request_id="r"))
    assert late.status == LineStatus.DATE


def test_what_the_provider_said_must_be_what_it_bills() -> None:
    said = a_use(1, request_id="r", expected=Decimal("4.02"), grade="C")
    assert matcher(said).match(a_line(request_id="r")).status == LineStatus.AMOUNT
    priced = a_use(1, request_id="r", expected=Decimal("4.02"), grade="D")
    assert matcher(priced).match(a_line(request_id="r")).status == LineStatus.MATCHED


def test_one_request_is_billed_once() -> None:
    one = matcher(a_use(1, request_id="r"))
    assert one.match(a_line(request_id="r")).status == LineStatus.MATCHED
    assert (
        one.match(a_line(request_id="r", unit="second")).status == LineStatus.MATCHED
    )  # another meter of it
    assert one.match(a_line(request_id="r")).status == LineStatus.DOUBLE
    before = matcher(a_use(1, request_id="r"), billed={("r", "flux", "image", "generation")})
    assert before.match(a_line(request_id="r")).status == LineStatus.DOUBLE


def test_storage_is_for_no_attempt() -> None:
    assert matcher(a_use(1)).match(a_line(sub_bucket="storage")).status == LineStatus.GENERAL


def test_a_span_is_shared_by_what_was_used_in_it() -> None:
    span = {"used_at": at(14, 0), "used_until": at(15, 0), "model": "gpt-image-1", "units": None}
    uses = (
        a_use(1, model="gpt-image-1-2025-04-15", units=Decimal(3)),
        a_use(2, model="gpt-image-1"),
        a_use(3, model="gpt-4o"),
        a_use(4, model="gpt-image-1", used_at=at(16)),
    )
    verdict = matcher(*uses).match(a_line(**span))
    assert (verdict.matched_by, [one.attempt_id for one in verdict.used]) == ("usage_share", [1, 2])
    assert weights_of(verdict.used) == {1: Decimal(3), 2: Decimal(1)}
    assert matcher().match(a_line(**span)).status == LineStatus.ORPHAN


def test_shares_are_measured_by_one_measure() -> None:
    known = (a_use(1, expected=Decimal("0.10")), a_use(2, expected=Decimal("0.30")))
    assert weights_of(known) == {1: Decimal("0.10"), 2: Decimal("0.30")}
    assert weights_of((known[0], a_use(2, units=Decimal(5)))) == {1: Decimal(1), 2: Decimal(5)}
    assert weights_of((a_use(1), a_use(2, unit="second"))) == {1: Decimal(1), 2: Decimal(1)}


amounts = st.decimals("-500", "500", places=6)
lines = st.lists(
    st.builds(
        lambda amount, tax, treatment: ReadLine(
            row=1, currency="USD", amount=amount, tax=tax.copy_sign(amount) if tax else Decimal(0),
            tax_treatment=treatment if tax else Tax.NONE,
        ),
        amounts,
        st.decimals("0", "50", places=2),
        st.sampled_from(list(Tax)),
    ),
    min_size=1,
    max_size=12,
)  # fmt: skip
rates = st.decimals("0.0001", "200", places=10).filter(bool)
quanta = st.sampled_from([Decimal(1), CENT, Decimal("0.001"), Decimal("0.000001")])


@settings(deadline=None)
@given(lines, rates, quanta)
def test_the_shares_of_lines_sum_to_the_total_and_keep_their_signs(
    read: list[ReadLine], rate: Decimal, quantum: Decimal
) -> None:
    made = convert(read, total=native_total(read), rate=rate, quantum=quantum)
    inside = [
        tax for line, tax in zip(read, made.taxes, strict=True) if line.tax_treatment == Tax.NON_RECOVERABLE
    ]
    assert sum(made.amounts) + sum(inside) == made.total
    for line, amount in zip(read, made.amounts, strict=True):
        assert amount * line.amount >= 0
        assert amount % quantum == 0


@settings(deadline=None)
@given(st.lists(amounts.filter(lambda one: one > 0), min_size=2, max_size=8), rates, st.data())
def test_a_document_in_parts_comes_to_what_it_comes_to_at_once(
    paid: list[Decimal], rate: Decimal, data: st.DataObject
) -> None:
    read = [ReadLine(row=1, currency="USD", amount=amount) for amount in paid]
    cut = data.draw(st.integers(1, len(read) - 1))
    first = convert(read[:cut], total=native_total(read[:cut]), rate=rate, quantum=CENT)
    rest = convert(read[cut:], total=native_total(read), rate=rate, quantum=CENT, posted=first.total)
    assert first.total + rest.total == convert(read, total=native_total(read), rate=rate, quantum=CENT).total
    assert sum(rest.amounts) == rest.total


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.booleans(), st.integers(1, 3)),
        min_size=1,
        max_size=15,
    ),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=8),
)
def test_every_line_has_one_verdict_and_no_use_is_taken_twice(
    billed: list[tuple[int, int, bool, int]], uses: list[tuple[int, int]]
) -> None:
    used = [
        a_use(number, request_id=f"r-{name}" if name else "", used_at=_hour(hour), units=Decimal(1))
        for number, (name, hour) in enumerate(uses, 1)
    ]
    sought = [
        a_line(
            number=number,
            request_id=f"r-{name}" if name else "",
            used_at=_hour(hour),
            dated=dated,
            units=Decimal(units),
        )
        for number, (name, hour, dated, units) in enumerate(billed, 1)
    ]
    verdicts = matcher(*used).match_all(sought)
    assert sorted(verdicts) == [line.number for line in sought]
    taken: list[int] = []
    for verdict in verdicts.values():
        if verdict.status in {LineStatus.MATCHED, LineStatus.AMOUNT, LineStatus.DATE}:
            assert len(verdict.used) == 1
            taken.append(verdict.used[0].usage_id or 0)
        else:
            assert verdict.used == ()
    assert len(taken) == len(set(taken))


def _hour(hour: int) -> datetime:
    return at(14, 6 + hour)
