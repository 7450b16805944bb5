from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from billing.allocation import BadWeightError, NotSharableError, allocate, rounded

CENT = Decimal("0.01")


def shared(total: str, *weights: int, quantum: Decimal = CENT) -> list[str]:
    shares = allocate(total=Decimal(total), weights=dict(enumerate(weights)), quantum=quantum)
    return [str(share) for share in shares.shares.values()]


def test_what_is_left_goes_to_the_largest_fraction_and_ties_by_key() -> None:
    assert shared("100.00", 1, 1, 1) == ["33.34", "33.33", "33.33"]
    assert shared("-0.05", 1, 1, 1) == ["-0.02", "-0.02", "-0.01"]
    assert shared("1000.00", 9, 8) == ["529.41", "470.59"]
    assert shared("529.41", 1, 2, 2, 1, 1, 1, 1) == ["58.83", "117.65", "117.65", *["58.82"] * 4]
    assert shared("10", 1, 2, quantum=Decimal(1)) == ["3", "7"]  # JPY
    assert shared("1.000", 1, 1, 1, quantum=Decimal("0.001")) == ["0.334", "0.333", "0.333"]  # BHD


def test_without_a_weight_all_of_it_stays() -> None:
    shares = allocate(total=Decimal("12.34"), weights={"a": 0, "b": 0}, quantum=CENT)
    assert (dict(shares.shares), shares.unallocated) == ({"a": Decimal(0), "b": Decimal(0)}, Decimal("12.34"))
    assert allocate(total=Decimal("12.34"), weights={}, quantum=CENT).unallocated == Decimal("12.34")


def test_a_document_is_converted_once_and_then_shared() -> None:
    lines = [Decimal(one) for one in ("4.00", "4.00", "6.50", "3.37")]
    total = rounded(sum(lines, Decimal()) * Decimal("7.1234"), CENT)
    assert sum(allocate(total=total, weights=dict(enumerate(lines)), quantum=CENT).shares.values()) == total


def test_what_cannot_be_shared_is_refused() -> None:
    with pytest.raises(BadWeightError):
        allocate(total=Decimal(1), weights={1: 2, 2: -1}, quantum=CENT)
    with pytest.raises(NotSharableError):
        allocate(total=Decimal("0.001"), weights={1: 1}, quantum=CENT)


amounts = st.integers(-(10**15), 10**15)
weights = st.dictionaries(st.integers(0, 10**6), st.decimals(0, 10**6, places=3), max_size=20)
quanta = st.sampled_from([Decimal(1), CENT, Decimal("0.001"), Decimal("0.000001")])


@given(amounts, weights, quanta)
def test_shares_sum_to_the_total_and_each_is_within_one_quantum_of_its_due(
    units: int, given_weights: dict[int, Decimal], quantum: Decimal
) -> None:
    total = units * quantum
    shares = allocate(total=total, weights=given_weights, quantum=quantum)
    assert sum(shares.shares.values(), shares.unallocated) == total
    whole = sum(given_weights.values())
    for key, share in shares.shares.items():
        due = units * given_weights[key] / whole if whole else Decimal(0)
        assert abs(share / quantum - due) < 1 + Decimal("1e-6")
        assert share == 0 or (share > 0) == (total > 0)


@given(amounts, weights, quanta)
def test_the_order_of_the_keys_and_the_sign_change_nothing(
    units: int, given_weights: dict[int, Decimal], quantum: Decimal
) -> None:
    total = units * quantum
    first = allocate(total=total, weights=given_weights, quantum=quantum).shares
    turned = dict(reversed(given_weights.items()))
    assert allocate(total=total, weights=turned, quantum=quantum).shares == first
    opposite = allocate(total=-total, weights=given_weights, quantum=quantum).shares
    assert opposite == {key: -share for key, share in first.items()}


@given(
    st.integers(0, 10**9),
    st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=5), min_size=1, max_size=6),
)
def test_children_sum_to_their_parent_at_each_level(units: int, tree: list[list[int]]) -> None:
    total = units * CENT
    parents = allocate(total=total, weights={n: sum(leaves) for n, leaves in enumerate(tree)}, quantum=CENT)
    leaves = [
        allocate(total=share, weights=dict(enumerate(tree[n])), quantum=CENT).shares
        for n, share in parents.shares.items()
    ]
    assert [sum(one.values()) for one in leaves] == list(parents.shares.values())
    assert sum(sum(one.values()) for one in leaves) == total
