"""The ready profiles from documentation, against doubles that answer as the documentation says (real sockets)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from once_delivery.targets.base import InventoryError, LookUpRequest, Outcome, Verdict
from tests.targets.saas.caller import ALL, CREATE_ONLY, DRAFT, Caller, a_caller, marker, of, own_id
from tests.targets.saas.contentful import Contentful
from tests.targets.saas.double import Held
from tests.targets.saas.drupal import Drupal
from tests.targets.saas.sanity import Sanity
from tests.targets.saas.shopify import Shopify


@pytest.fixture
def caller(request: pytest.FixtureRequest) -> Iterator[Caller]:
    yield from a_caller(request)


@of(*ALL)
def test_a_draft_is_made_with_our_marker_and_not_published(caller: Caller) -> None:
    answer = caller.create(status="published", isPublished=True, publishedAt="2026-01-01")
    assert (answer.outcome, answer.marker) == (Outcome.DONE, marker()), answer
    assert caller.double.held() == [Held(answer.result_id, "标题 & <b>", "<p>Text</p>", public=False)]
    found = caller.read(answer.result_id)
    assert found.status != caller.double.public_word
    assert (found.marker, found.content) == (marker(), {"title": "标题 & <b>", "body": "<p>Text</p>"})


@of(*ALL)
def test_a_lost_answer_is_unknown_and_the_draft_is_found(caller: Caller) -> None:
    caller.double.lose = "after"
    assert caller.create().outcome == Outcome.UNKNOWN
    look = caller.look()
    assert (look.verdict, look.complete) == (Verdict.FOUND, True), look
    (held,) = caller.double.held()
    assert [one.result_id for one in look.objects] == [held.id]
    assert len(caller.double.effects()) == 1


@of(*ALL)
def test_what_never_arrived_is_absent_and_can_be_sent_again(caller: Caller) -> None:
    caller.double.lose = "before"
    assert caller.create().outcome == Outcome.UNKNOWN
    look = caller.look()
    assert (look.verdict, look.complete, look.code) == (Verdict.ABSENT, True, "")
    assert caller.create().outcome == Outcome.DONE
    assert len(caller.double.held()) == 1


@of(*CREATE_ONLY)
def test_other_content_under_the_same_id_is_not_written_over_the_first(caller: Caller) -> None:
    caller.create(title="First words")
    second = caller.create(title="Other words")
    assert second.outcome == Outcome.EXISTS, second
    assert [one.title for one in caller.double.held()] == ["First words"]
    assert caller.look().verdict == Verdict.FOUND


@of(Shopify)
def test_a_second_product_set_makes_no_second_product(caller: Caller) -> None:
    """It writes over the first, as documented: the profile's guard is to look before anything is sent again."""
    first = caller.create(title="First words")
    second = caller.create(title="Other words")
    assert (second.outcome, second.result_id) == (Outcome.DONE, first.result_id)
    assert [one.title for one in caller.double.held()] == ["Other words"]


@of(*ALL)
def test_what_a_person_published_is_still_ours_and_found_once(caller: Caller) -> None:
    answer = caller.create()
    caller.double.publish(answer.result_id)
    look = caller.look()
    assert [one.result_id for one in look.objects] == [answer.result_id]
    assert look.objects[0].status == caller.double.public_word
    assert caller.read(answer.result_id).status == caller.double.public_word


@of(*ALL)
def test_a_token_that_is_not_valid_tells_nothing(caller: Caller) -> None:
    caller.create()
    wrong = dict.fromkeys(caller.double.credentials, "nobody's")
    with caller.double.connected(credentials=wrong) as stranger:
        look = stranger.look_up(LookUpRequest(DRAFT, marker(), own_id(), 2))
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "unauthorized")
        assert [line.ok for line in stranger.check()][:2] == [True, False]
    assert [line for line in caller.connector.check() if not line.ok] == []


@of(*ALL)
def test_what_is_removed_is_gone(caller: Caller) -> None:
    first, second = caller.create(1), caller.create(2)
    removed = caller.connector.remove(kind=DRAFT, result_id=first.result_id, deadline_s=2)
    assert removed.outcome == Outcome.DONE, removed
    assert [one.id for one in caller.double.held()] == [second.result_id]
    again = caller.connector.remove(kind=DRAFT, result_id=first.result_id, deadline_s=2)
    assert again.outcome == Outcome.REFUSED, again
    gone = caller.connector.read(kind=DRAFT, result_id=first.result_id, deadline_s=2)
    assert (gone.verdict, gone.complete) == (Verdict.ABSENT, True)


@of(*ALL)
def test_the_inventory_has_every_page(caller: Caller) -> None:
    made = {caller.create(number).result_id for number in range(1, 6)}
    caller.double.publish(caller.create(6).result_id)
    found = list(caller.connector.inventory(kind=DRAFT, deadline_s=5))
    assert {one.result_id for one in found} == made | {one.id for one in caller.double.held() if one.public}
    assert len(found) == 6


@of(*ALL)
def test_only_what_changed_since_is_listed(caller: Caller) -> None:
    made = [caller.create(number).result_id for number in range(1, 5)]
    moment = caller.read(made[3]).updated_at
    assert isinstance(moment, datetime)
    caller.double.edit(made[1], "Edited")
    found = {
        one.result_id for one in caller.connector.inventory(kind=DRAFT, deadline_s=5, changed_since=moment)
    }
    # the second of the moment itself may be listed again, never left out
    assert found - {made[3]} == {made[1]}


@of(Sanity, Shopify, Drupal)
def test_a_list_goes_on_behind_a_place(caller: Caller) -> None:
    for number in range(1, 6):
        caller.create(number)
    found = list(caller.connector.inventory(kind=DRAFT, deadline_s=5))
    rest = list(caller.connector.inventory(kind=DRAFT, deadline_s=5, after=found[1].place))
    assert [one.result_id for one in rest] == [one.result_id for one in found[2:]]


@of(Contentful)
def test_a_list_by_offset_cannot_go_on(caller: Caller) -> None:
    with pytest.raises(InventoryError, match="cannot-go-on"):
        list(caller.connector.inventory(kind=DRAFT, deadline_s=5, after="x"))
