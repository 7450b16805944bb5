"""What follows from what was refuted: pure, from a history of measurements."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from once_delivery.targets.base import Kind
from once_delivery.targets.probing.findings import Claim, Finding, Verdict, claimed_text, worst
from once_delivery.targets.probing.standing import Measured, forbids, standing, stopped_by, weakened
from once_delivery.targets.profile import Consistency, Guard, Profile

BEGUN = datetime(2026, 11, 29, 9, 0, tzinfo=UTC)
PROFILE = Profile(guard=Guard.CLIENT_ID, look_up=True, consistency=Consistency.STRONG, settle_s=60.0)
HERE, THERE = "here", "there"


def history(
    *said: tuple[Claim, str, Verdict] | tuple[Claim, str, Verdict, str], **numbers: Any
) -> list[Measured]:
    """Oldest first, an hour apart."""
    return [
        Measured(
            Finding(one[0], one[1], one[2], "seen", numbers),
            BEGUN + timedelta(hours=number),
            one[3] if len(one) > 3 else HERE,
        )
        for number, one in enumerate(said)
    ]


def claims(profile: Profile, known: list[Measured], settings: str = HERE) -> set[Claim]:
    return {one.claim for one in standing(profile, known, settings)}


NO = (Claim.GUARD, "client_id", Verdict.REFUTED)
YES = (Claim.GUARD, "client_id", Verdict.CONFIRMED)


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ([], False),
        ([YES], False),
        ([NO], True),
        ([NO, YES], False),
        ([YES, NO], True),
        ([NO, YES, NO], True),
        ([NO, (Claim.GUARD, "client_id", Verdict.NOT_MEASURED)], True),
        ([NO, (Claim.GUARD, "lookup", Verdict.CONFIRMED)], True),
        ([NO, (Claim.SECOND_CREATE, "client_id", Verdict.CONFIRMED)], True),
        ([(Claim.GUARD, "lookup", Verdict.REFUTED)], False),  # of another guard than the one that is claimed now
    ],
)  # fmt: skip
def test_a_refuted_guard_stands_until_a_newer_probe_confirms_it(said: list[Any], stands: bool) -> None:
    assert (Claim.GUARD in claims(PROFILE, history(*said))) is stands


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ([(*NO, HERE), (*YES, THERE)], True),  # what holds elsewhere does not lift it
        ([(*NO, THERE), (*YES, HERE)], False),
        ([(*NO, THERE), (*YES, THERE)], False),
        ([(*NO, THERE)], True),  # other settings alone do not lift it
    ],
)  # fmt: skip
def test_settings_that_changed(said: list[Any], stands: bool) -> None:
    assert (Claim.GUARD in claims(PROFILE, history(*said), HERE)) is stands


@pytest.mark.parametrize(
    ("window_s", "stands"), [(86_400.0, True), (31.0, True), (30.0, False), (20.0, False)]
)
def test_a_window_is_refuted_beyond_what_was_honoured(window_s: float, stands: bool) -> None:
    said = history((Claim.WINDOW, "86400", Verdict.REFUTED), honoured_s=30, forgotten_s=40)
    keyed = replace(PROFILE, guard=Guard.IDEMPOTENCY_KEY, window_s=window_s)
    assert (Claim.WINDOW in claims(keyed, said)) is stands
    assert claims(PROFILE, said) == set()


@pytest.mark.parametrize(("confirmed", "stands"), [("86400", False), ("60", False), ("50", True)])
def test_a_window_is_lifted_by_one_as_long(confirmed: str, stands: bool) -> None:
    said = history((Claim.WINDOW, "86400", Verdict.REFUTED), honoured_s=30)
    said += [replace(history((Claim.WINDOW, confirmed, Verdict.CONFIRMED))[0], at=BEGUN + timedelta(days=1))]
    keyed = replace(PROFILE, guard=Guard.IDEMPOTENCY_KEY, window_s=60.0)
    assert (Claim.WINDOW in claims(keyed, said)) is stands


@pytest.mark.parametrize(
    ("consistency", "lag_s", "stands"),
    [
        (Consistency.STRONG, 0.0, True),
        (Consistency.BOUNDED, 1.0, True),
        (Consistency.BOUNDED, 5.0, False),
        (Consistency.UNKNOWN, 0.0, False),
    ],
)
def test_a_lag_refutes_whatever_is_shorter(consistency: Consistency, lag_s: float, stands: bool) -> None:
    said = history((Claim.CONSISTENCY, "strong", Verdict.REFUTED), missed_s=3.0)
    profile = replace(PROFILE, consistency=consistency, index_lag_s=lag_s)
    assert (Claim.CONSISTENCY in claims(profile, said)) is stands


def test_a_settle_time_that_is_longer_is_another_claim() -> None:
    said = history((Claim.SETTLE, "60", Verdict.REFUTED), landed_s=70.0)
    assert claims(PROFILE, said) == {Claim.SETTLE}
    assert claims(replace(PROFILE, settle_s=600.0), said) == set()


@pytest.mark.parametrize("claim", [Claim.DEADLINE, Claim.CANNOT_PUBLISH, Claim.REMOVED, Claim.AT_ONCE])
def test_some_claims_are_shown_and_nothing_follows(claim: Claim) -> None:
    assert claims(PROFILE, history((claim, "", Verdict.REFUTED))) == set()


@pytest.mark.parametrize(
    ("guard", "look_up", "refuted", "left"),
    [
        (Guard.CLIENT_ID, True, {Claim.GUARD}, (Guard.LOOKUP, True, Consistency.STRONG)),
        (Guard.CLIENT_ID, False, {Claim.GUARD}, (Guard.NONE, False, Consistency.STRONG)),
        (Guard.CLIENT_ID, True, {Claim.LOOK_UP}, (Guard.CLIENT_ID, False, Consistency.UNKNOWN)),
        (Guard.CLIENT_ID, True, {Claim.GUARD, Claim.ABSENCE}, (Guard.NONE, False, Consistency.UNKNOWN)),
        (Guard.IDEMPOTENCY_KEY, False, {Claim.WINDOW}, (Guard.NONE, False, Consistency.STRONG)),
        (Guard.LOOKUP, True, {Claim.CONSISTENCY}, (Guard.LOOKUP, True, Consistency.UNKNOWN)),
        (Guard.LOOKUP, True, {Claim.SETTLE}, (Guard.LOOKUP, True, Consistency.UNKNOWN)),
        (Guard.LOOKUP, True, {Claim.LOOK_UP}, (Guard.NONE, False, Consistency.UNKNOWN)),
        (Guard.LOOKUP, True, {Claim.UPDATE, Claim.STAYS_DRAFT}, (Guard.LOOKUP, True, Consistency.STRONG)),
    ],

)  # fmt: skip
def test_what_is_left_of_a_profile(
    guard: Guard, look_up: bool, refuted: set[Claim], left: tuple[Any, ...]
) -> None:
    profile = weakened(replace(PROFILE, guard=guard, look_up=look_up), refuted)
    assert (profile.guard, profile.look_up, profile.consistency) == left


@pytest.mark.parametrize("refuted", [set(), *({claim} for claim in Claim)])
def test_weakening_never_strengthens_and_is_done_once(refuted: set[Claim]) -> None:
    order = {Guard.NONE: 0, Guard.LOOKUP: 1, Guard.CLIENT_ID: 2, Guard.IDEMPOTENCY_KEY: 2}
    for guard in Guard:
        for look_up in (True, False):
            before = replace(PROFILE, guard=guard, look_up=look_up)
            after = weakened(before, refuted)
            assert order[after.guard] <= order[before.guard]
            assert after.look_up <= before.look_up
    # and what was weakened is not weakened further by the same word, unless the word is about the guard that is left
    assert weakened(weakened(PROFILE, refuted), refuted - {Claim.GUARD, Claim.WINDOW}) == weakened(
        PROFILE, refuted
    )


@pytest.mark.parametrize(
    ("refuted", "create", "update"),
    [
        (set(), None, None),
        ({Claim.GUARD}, Claim.GUARD, Claim.GUARD),
        ({Claim.WINDOW, Claim.LOOK_UP}, Claim.WINDOW, Claim.WINDOW),
        ({Claim.STAYS_DRAFT}, Claim.STAYS_DRAFT, Claim.STAYS_DRAFT),
        ({Claim.UPDATE}, None, Claim.UPDATE),
        ({Claim.UPDATE, Claim.STAYS_DRAFT}, Claim.STAYS_DRAFT, Claim.UPDATE),
        ({Claim.CONSISTENCY, Claim.LOOK_UP}, None, None),
    ],
)
def test_what_is_not_sent(refuted: set[Claim], create: Claim | None, update: Claim | None) -> None:
    assert stopped_by(Kind.CREATE_DRAFT, refuted) == create
    assert stopped_by(Kind.UPDATE_DRAFT, refuted) == update


def test_files_are_sent_where_drafts_get_published() -> None:
    assert stopped_by(Kind.UPLOAD_FILE, {Claim.STAYS_DRAFT, Claim.UPDATE}) is None
    assert stopped_by(Kind.UPLOAD_FILE, {Claim.STAYS_DRAFT, Claim.GUARD}) == Claim.GUARD


def test_what_holds_for_drafts_lifts_nothing_that_was_seen_of_files() -> None:
    of_files = [replace(one, kind=Kind.UPLOAD_FILE) for one in history(NO)]
    later = replace(history(YES)[0], at=BEGUN + timedelta(days=1))
    assert claims(PROFILE, [*of_files, later]) == {Claim.GUARD}
    assert claims(PROFILE, [*of_files, replace(later, kind=Kind.UPLOAD_FILE)]) == set()


def test_a_profile_is_refused_for_its_guard_alone() -> None:
    assert {claim for claim in Claim if forbids(claim)} == {Claim.GUARD, Claim.WINDOW}


@pytest.mark.parametrize(
    ("verdicts", "together"),
    [
        ([], Verdict.NOT_MEASURED),
        ([Verdict.CONFIRMED, Verdict.CONFIRMED], Verdict.CONFIRMED),
        ([Verdict.CONFIRMED, Verdict.NOT_MEASURED], Verdict.NOT_MEASURED),
        ([Verdict.NOT_MEASURED, Verdict.REFUTED], Verdict.REFUTED),
    ],
)
def test_the_worst_counts(verdicts: list[Verdict], together: Verdict) -> None:
    assert worst(verdicts) == together


@pytest.mark.parametrize(
    ("value", "text"), [(True, "true"), (30.0, "30"), (0.5, "0.5"), (Guard.NONE, "none")]
)
def test_a_claim_as_text(value: object, text: str) -> None:
    assert claimed_text(value) == text
