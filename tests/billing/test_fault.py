"""ACCOUNTING sections 7 and 8, rule by rule: facts in, cause and bearer out. No database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from billing.fault import (
    Deed,
    Opinion,
    Send,
    TaskFacts,
    bearer_of,
    bearer_of_estimate,
    bearer_of_fee,
    bearer_of_labour,
    cause_of,
    cause_of_labour,
)
from billing.models import Bearer, Cause, Grade, Terms

OPEN, AGREED, GIVEN_UP = Deed(open_question=True), Deed(client_agreed=True), Deed(given_up=True)


def on(day: int) -> datetime:
    return datetime(2026, 9, day, tzinfo=UTC)


def a_send(number: int = 1, *, day: int = 3, adopted: bool = True, **changes: Any) -> Send:
    return Send(attempt_id=number, action_id=1, at=on(day), adopted=adopted, **changes)


def first_of(*sends: Send, **facts: Any) -> Cause:
    return cause_of(sends[0], TaskFacts(sends=sends, **facts))


LOST = a_send(1, adopted=False, lost=True)
AGAIN = a_send(2, day=4)
FACTS = [Opinion(on(2), "rejected", ("facts",))]
RULES: list[tuple[str, Sequence[Send], dict[str, Any], Cause]] = [
    ("first generation", [a_send()], {}, Cause.NORMAL),
    ("no answer yet", [LOST], {"deeds": {1: OPEN}}, Cause.UNDETERMINED),
    ("sent again by the platform", [LOST, AGAIN], {}, Cause.PLATFORM_RETRY),
    ("the one that was adopted", [AGAIN, LOST], {}, Cause.NORMAL),
    ("sent again with the client's approval", [LOST, AGAIN], {"deeds": {1: AGREED}}, Cause.CLIENT_CONFIRMED_REPEAT),
    ("failed at the provider", [a_send(adopted=False, failed=True), AGAIN], {}, Cause.PROVIDER_FAULT),
    ("given up by us", [LOST], {"deeds": {1: GIVEN_UP}}, Cause.UNDETERMINED),
    ("given up by the client", [LOST], {"deeds": {1: Deed(given_up=True, client_agreed=True)}}, Cause.CLIENT_CANCEL),
    ("rework of our fault", [a_send()], {"opinions": FACTS}, Cause.VENDOR_FAULT),
    ("rejected later", [a_send(day=1)], {"opinions": FACTS}, Cause.NORMAL),
    ("one of our faults among others", [a_send()], {"opinions": [Opinion(on(2), "changes", ("tone", "facts"))]}, Cause.VENDOR_FAULT),
    ("the client's change", [a_send()], {"opinions": [Opinion(on(2), "changes")]}, Cause.CLIENT_CHANGE),
    ("the client's taste", [a_send()], {"opinions": [Opinion(on(2), "rejected", ("tone",))]}, Cause.CLIENT_CHANGE),
    ("a reason that no rule knows", [a_send()], {"opinions": [Opinion(on(2), "rejected", ("other",))]}, Cause.UNDETERMINED),
    ("accepted in between", [a_send()], {"opinions": [*FACTS, Opinion(on(2), "accepted")]}, Cause.NORMAL),
    ("the same brief again", [a_send()], {"same_input": True}, Cause.DEDUPE_MISS),
    ("superseded before it was accepted", [a_send()], {"superseded": True}, Cause.CLIENT_CHANGE),
    ("superseded to repair our error", [a_send()], {"superseded": True, "judged": Cause.VENDOR_FAULT}, Cause.VENDOR_FAULT),
    ("a duplicate of the client", [a_send()], {"duplicate": Cause.CLIENT_DUPLICATE}, Cause.CLIENT_DUPLICATE),
    ("a person said otherwise", [LOST], {"deeds": {1: OPEN}, "judged_sends": {1: Cause.PROVIDER_FAULT}}, Cause.PROVIDER_FAULT),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sends", "facts", "cause"), [row[1:] for row in RULES], ids=[row[0] for row in RULES]
)
def test_the_cause_of_a_send(sends: Sequence[Send], facts: dict[str, Any], cause: Cause) -> None:
    assert first_of(*sends, **facts) is cause


def test_rework_that_is_sent_twice_is_a_retry_first() -> None:
    assert first_of(LOST, AGAIN, opinions=FACTS) is Cause.PLATFORM_RETRY
    assert cause_of(AGAIN, TaskFacts(sends=(LOST, AGAIN), opinions=FACTS)) is Cause.VENDOR_FAULT


@pytest.mark.parametrize("cause", list(Cause))
def test_terms_name_bearers_but_never_make_the_client_bear_our_faults(cause: Cause) -> None:
    all_client = Terms(bearers=dict.fromkeys(Cause.values, "client"))
    ours = {Cause.VENDOR_FAULT, Cause.PLATFORM_RETRY, Cause.DEDUPE_MISS}
    expected = Bearer.VENDOR if cause in ours else Bearer.CLIENT
    assert bearer_of(cause, all_client) is (Bearer.UNDETERMINED if cause is Cause.UNDETERMINED else expected)


def test_bearers_by_default() -> None:
    assert [bearer_of(cause, None).value for cause in Cause] == [
        *["client"] * 5,
        *["vendor"] * 3,
        *["provider"] * 2,
        "undetermined",
    ]
    assert bearer_of_fee(Terms(platform_fee_bearer="vendor")) is Bearer.VENDOR
    assert bearer_of_fee(None) is Bearer.CLIENT


def test_an_estimate_settles_no_request_that_was_made_twice() -> None:
    for cause in (Cause.PLATFORM_RETRY, Cause.DEDUPE_MISS, Cause.CLIENT_CONFIRMED_REPEAT):
        assert bearer_of_estimate(cause, Grade.PRICED, None) is Bearer.UNDETERMINED
        assert bearer_of_estimate(cause, Grade.BILLING_EVENT, None) is bearer_of(cause, None)
    assert bearer_of_estimate(Cause.NORMAL, Grade.PRICED, None) is Bearer.CLIENT


def test_reconciling_is_the_vendors_unless_the_fee_leaves_it_out() -> None:
    cause = cause_of_labour("uncertain", TaskFacts(sends=()))
    assert bearer_of_labour(cause, "uncertain", None) is Bearer.VENDOR
    assert bearer_of_labour(cause, "uncertain", Terms(includes={"reconciliation": False})) is Bearer.CLIENT
    ours = cause_of_labour("duplicate", TaskFacts(sends=()))
    assert bearer_of_labour(ours, "duplicate", Terms(includes={"reconciliation": False})) is Bearer.VENDOR
    theirs = cause_of_labour("duplicate", TaskFacts(sends=(), duplicate=Cause.CLIENT_DUPLICATE))
    assert bearer_of_labour(theirs, "duplicate", None) is Bearer.CLIENT


any_send = st.builds(
    Send,
    attempt_id=st.integers(1, 4),
    action_id=st.integers(1, 2),
    at=st.integers(1, 28).map(on),
    adopted=st.booleans(),
    failed=st.booleans(),
    lost=st.booleans(),
)
any_facts = st.builds(
    TaskFacts,
    sends=st.lists(any_send, min_size=1, max_size=5),
    deeds=st.dictionaries(
        st.integers(1, 2), st.builds(Deed, st.booleans(), st.booleans(), st.booleans()), max_size=2
    ),
    opinions=st.lists(
        st.builds(
            Opinion,
            st.integers(1, 28).map(on),
            st.sampled_from(["accepted", "changes", "rejected"]),
            st.lists(st.sampled_from(["facts", "tone", "other"]), max_size=2),
        ),
        max_size=3,
    ).map(lambda found: sorted(found, key=lambda one: one.at)),
    same_input=st.booleans(),
    superseded=st.booleans(),
)


@given(any_facts, st.dictionaries(st.sampled_from(Cause.values), st.just("client")))
def test_whatever_happened_every_send_has_a_cause_and_our_faults_are_never_the_clients(
    facts: TaskFacts, bearers: dict[str, str]
) -> None:
    terms = Terms(bearers=bearers)
    for send in facts.sends:
        cause = cause_of(send, facts)
        if cause in {Cause.VENDOR_FAULT, Cause.PLATFORM_RETRY, Cause.DEDUPE_MISS}:
            assert bearer_of(cause, terms) is Bearer.VENDOR
        if send.lost and not send.adopted and facts.deeds.get(send.action_id, Deed()).open_question:
            assert cause in {Cause.UNDETERMINED, Cause.DEDUPE_MISS}
