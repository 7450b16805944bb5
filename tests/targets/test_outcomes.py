from __future__ import annotations

import pytest

from once_delivery.targets.base import Outcome
from once_delivery.targets.outcomes import allowed, by_default, laxer, outcome_of


@pytest.mark.parametrize(
    ("outcome", "statuses"),
    [
        (Outcome.DONE, [200, 201, 204, 299]),
        (Outcome.ACCEPTED, [202]),
        (Outcome.REFUSED, [400, 401, 403, 404, 405, 410, 413, 415, 422]),
        (Outcome.EXISTS, [409]),
        (Outcome.NOT_DONE, [429]),
        (
            Outcome.UNKNOWN,
            [
                100,
                301,
                302,
                303,
                307,
                308,
                402,
                406,
                407,
                408,
                411,
                412,
                418,
                423,
                425,
                451,
                499,
                500,
                502,
                503,
                504,
                520,
                599,
            ],
        ),
    ],
)
def test_the_table(outcome: Outcome, statuses: list[int]) -> None:
    assert {status: by_default(status) for status in statuses} == dict.fromkeys(statuses, outcome)


@pytest.mark.parametrize(
    ("status", "outcome", "fine"),
    [
        (400, Outcome.UNKNOWN, True),
        (400, Outcome.EXISTS, True),
        (400, Outcome.NOT_DONE, True),
        (400, Outcome.DONE, False),
        (429, Outcome.REFUSED, True),
        (409, Outcome.UNKNOWN, True),
        (409, Outcome.REFUSED, False),
        (409, Outcome.NOT_DONE, False),
        (500, Outcome.EXISTS, True),
        (500, Outcome.REFUSED, False),
        (500, Outcome.NOT_DONE, False),
        (502, Outcome.NOT_DONE, False),
        (503, Outcome.NOT_DONE, True),
        (503, Outcome.REFUSED, False),
        (412, Outcome.REFUSED, False),
        (408, Outcome.NOT_DONE, False),
        (302, Outcome.REFUSED, False),
        (200, Outcome.UNKNOWN, True),
        (200, Outcome.REFUSED, False),
        (202, Outcome.DONE, False),
    ],
)
def test_an_override_may_be_stricter_never_laxer(status: int, outcome: Outcome, *, fine: bool) -> None:
    assert laxer({status: outcome}) == ([] if fine else [status])


def test_no_status_may_be_turned_into_done() -> None:
    assert all(not allowed(status) & {Outcome.DONE, Outcome.ACCEPTED} for status in range(100, 600))


def test_overrides_count() -> None:
    assert outcome_of(400, overrides={400: Outcome.UNKNOWN}) == Outcome.UNKNOWN
    assert outcome_of(401, overrides={400: Outcome.UNKNOWN}) == Outcome.REFUSED


def test_503_needs_the_declaration_and_the_header() -> None:
    declared = {503: Outcome.NOT_DONE}
    assert outcome_of(503, retry_after=True) == Outcome.UNKNOWN
    assert outcome_of(503, overrides=declared) == Outcome.UNKNOWN
    assert outcome_of(503, retry_after=True, overrides=declared) == Outcome.NOT_DONE
