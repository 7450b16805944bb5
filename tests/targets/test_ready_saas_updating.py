"""Updates in place by the ready profiles from documentation, against their doubles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import Outcome, Verdict
from tests.targets.saas.caller import VERSIONED, Caller, a_caller, marker, of
from tests.targets.saas.double import Held
from tests.targets.saas.drupal import Drupal
from tests.targets.saas.shopify import Shopify


@pytest.fixture
def caller(request: pytest.FixtureRequest) -> Iterator[Caller]:
    yield from a_caller(request)


@of(*VERSIONED)
def test_the_draft_is_changed_in_place_and_the_rest_of_it_stays(caller: Caller) -> None:
    original = caller.original()
    caller.double.edit(original.result_id, "By hand")
    seen = replace(original, version=caller.read(original.result_id).version)
    answer = caller.update(seen)
    assert (answer.outcome, answer.result_id) == (Outcome.DONE, original.result_id), answer
    assert answer.version not in {"", seen.version}
    assert caller.double.held(marker()) == [Held(original.result_id, "v2", "<p>v2</p>", public=False)]
    assert "By hand" in str(vars(caller.double)) or "Von Hand" in str(vars(caller.double))


@of(*VERSIONED)
def test_what_a_person_changed_meanwhile_is_left_alone(caller: Caller) -> None:
    original = caller.original()
    caller.double.edit(original.result_id, "A person's words")
    assert caller.update(original).outcome == Outcome.EXISTS
    assert [one.title for one in caller.double.held()] == ["A person's words"]
    look = caller.updated(original)
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, updating.CHANGED)


@of(*VERSIONED)
@pytest.mark.parametrize(("lose", "verdict"), [("before", Verdict.ABSENT), ("after", Verdict.FOUND)])
def test_a_lost_answer_of_an_update(caller: Caller, lose: str, verdict: Verdict) -> None:
    original = caller.original()
    caller.double.lose = lose
    assert caller.update(original).outcome == Outcome.UNKNOWN
    assert caller.updated(original).verdict == verdict


@of(*VERSIONED)
def test_a_published_one_is_left_to_a_person(caller: Caller) -> None:
    original = caller.original()
    caller.double.publish(original.result_id)
    assert caller.update(original).outcome in {Outcome.EXISTS, Outcome.REFUSED}
    look = caller.updated(original)
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, updating.PUBLISHED)


@of(Shopify, Drupal)
def test_where_no_version_can_be_sent_nothing_is_updated(caller: Caller) -> None:
    original = replace(caller.original(), version="1")
    sent = len(caller.double.effects())
    assert caller.update(original).code == "kind-not-declared"
    assert len(caller.double.effects()) == sent
