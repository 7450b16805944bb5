"""What one service alone answers: against its double, by its ready profile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from once_delivery.targets.base import EffectRequest, InventoryError, Kind, LookUpRequest, Outcome, Verdict
from tests.targets.saas.contentful import Contentful
from tests.targets.saas.drupal import Drupal
from tests.targets.saas.sanity import Sanity
from tests.targets.saas.shopify import Shopify

DRAFT = Kind.CREATE_DRAFT
MARKER = "once-aaaaaaaaaaaaaaaaaaaaaaaaaa"
OWN_ID = "6626a27f-79c1-545a-8f6d-f941d42ce3e9"
ASKED = LookUpRequest(DRAFT, MARKER, OWN_ID, 2)


def request(title: str = "T", **more: Any) -> EffectRequest:
    return EffectRequest(DRAFT, MARKER, OWN_ID, "", {"title": title, "body": "B", **more}, 2)


class TestContentful:
    def test_a_put_that_wrote_over_an_entry_is_never_taken_for_a_creation(self) -> None:
        double = Contentful()
        double.overwrites = True
        with double.connected() as connector:
            assert connector.perform(request()).outcome == Outcome.DONE
            again = connector.perform(request())
            assert (again.outcome, again.code, again.http_status) == (Outcome.EXISTS, "http-200", 200)

    def test_an_archived_entry_is_in_the_trash(self) -> None:
        double = Contentful()
        with double.connected() as connector:
            connector.perform(request())
            double.entries[OWN_ID]["sys"]["archivedVersion"] = 2
            (found,) = connector.look_up(ASKED).objects
            assert (found.status, found.trashed) == ("archived", True)

    def test_an_entry_of_somebody_else_under_our_id_is_not_adopted(self) -> None:
        double = Contentful()
        with double.connected() as connector:
            connector.perform(request())
            double.entries[OWN_ID]["fields"]["onceMarker"]["en-US"] = "theirs"
            assert connector.perform(request()).outcome == Outcome.EXISTS
            look = connector.look_up(ASKED)
            assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "marker-mismatch")

    def test_a_published_entry_is_not_deleted(self) -> None:
        double = Contentful()
        with double.connected() as connector:
            connector.perform(request())
            double.publish(OWN_ID)
            assert connector.remove(kind=DRAFT, result_id=OWN_ID, deadline_s=2).outcome == Outcome.REFUSED
        assert len(double.held()) == 1

    def test_names_of_an_operators_own(self) -> None:
        double = Contentful()
        with double.connected(title_field="headline", locale="de-DE", marker_field="ref") as connector:
            connector.perform(request("Titel"))
        (entry,) = double.entries.values()
        assert entry["fields"] == {
            "headline": {"de-DE": "Titel"},
            "body": {"de-DE": "B"},
            "ref": {"de-DE": MARKER},
        }


class TestSanity:
    def test_a_create_that_did_nothing_is_not_taken_for_a_creation(self) -> None:
        double = Sanity()
        double.silent_no_op = True
        with double.connected() as connector:
            assert connector.perform(request()).outcome == Outcome.DONE
            again = connector.perform(request())
            assert (again.outcome, again.code) == (Outcome.EXISTS, "already-exists")

    def test_a_token_that_may_not_read_never_makes_it_absent(self) -> None:
        double = Sanity()
        with double.connected() as connector:
            connector.perform(request())
            double.hidden = True
            look = connector.look_up(ASKED)
            assert (look.verdict, look.objects) == (Verdict.CANNOT_TELL, ())
            assert connector.read(kind=DRAFT, result_id=OWN_ID, deadline_s=2).verdict == Verdict.CANNOT_TELL

    def test_a_published_document_with_a_newer_draft_is_one_result(self) -> None:
        double = Sanity()
        with double.connected() as connector:
            connector.perform(request())
            double.publish(OWN_ID)
            published = double.documents[OWN_ID]
            double.documents[f"drafts.{OWN_ID}"] = {**published, "_id": f"drafts.{OWN_ID}", "title": "Newer"}
            look = connector.look_up(ASKED)
            assert (look.verdict, [one.result_id for one in look.objects]) == (Verdict.FOUND, [OWN_ID])
            found = list(connector.inventory(kind=DRAFT, deadline_s=2))
            assert [one.result_id for one in found] == [OWN_ID]

    def test_many_published_documents_with_drafts_do_not_look_like_a_circle(self) -> None:
        double = Sanity()
        with double.connected() as connector:
            for number in range(4):
                own = f"{number:08}-79c1-545a-8f6d-f941d42ce3e9"
                connector.perform(EffectRequest(DRAFT, f"{MARKER}{number}", own, "", {"title": "T"}, 2))
                double.publish(own)
                double.documents[f"drafts.{own}"] = {**double.documents[own], "_id": f"drafts.{own}"}
            assert len(list(connector.inventory(kind=DRAFT, deadline_s=2))) == 4

    def test_a_copy_that_a_person_made_is_a_second_one(self) -> None:
        double = Sanity()
        with double.connected() as connector:
            connector.perform(request())
            original = double.documents[f"drafts.{OWN_ID}"]
            double.documents["drafts.copy"] = {**original, "_id": "drafts.copy"}
            assert connector.look_up(ASKED).verdict == Verdict.FOUND_MANY


THROTTLED = {"errors": [{"message": "Throttled", "extensions": {"code": "THROTTLED"}}]}
DENIED = {"errors": [{"message": "Access denied", "extensions": {"code": "ACCESS_DENIED"}}], "data": None}
PARTLY = {"errors": [{"message": "Timeout"}], "data": {"productSet": None}}
TAKEN = {"data": {"productSet": {"product": None, "userErrors": [{"code": "CAPABILITY_VIOLATION"}]}}}
GENERIC = {"data": {"productSet": {"product": None, "userErrors": [{"code": "GENERIC_ERROR"}]}}}
HALF = {"data": {"productSet": {"product": {"id": "gid://1"}, "userErrors": [{"code": "INVALID_INPUT"}]}}}


class TestShopify:
    @pytest.mark.parametrize(
        ("reply", "outcome", "code"),
        [
            (THROTTLED, Outcome.NOT_DONE, "throttled"),
            (DENIED, Outcome.REFUSED, "access-denied"),
            (PARTLY, Outcome.UNKNOWN, "graphql-error"),
            (TAKEN, Outcome.EXISTS, "already-exists"),
            (HALF, Outcome.UNKNOWN, "user-errors"),
            (GENERIC, Outcome.UNKNOWN, "generic-error"),
            ({"data": {"productSet": None}}, Outcome.UNKNOWN, "no-id"),
        ],
        ids=["throttled", "denied", "partly", "taken", "half", "generic", "nothing"],
    )
    def test_a_200_that_is_none(self, reply: Any, outcome: Outcome, code: str) -> None:
        double = Shopify()
        double.next_reply = reply
        with double.connected() as connector:
            answer = connector.perform(request())
        assert (answer.outcome, answer.code, answer.http_status) == (outcome, code, 200)

    def test_user_errors_without_a_product_are_a_refusal(self) -> None:
        double = Shopify()
        with double.connected() as connector:
            answer = connector.perform(request(" "))
        assert (answer.outcome, answer.code, double.held()) == (Outcome.REFUSED, "user-errors", [])

    @pytest.mark.parametrize("reply", [THROTTLED, PARTLY, {"data": None, "errors": [{"message": "x"}]}])
    def test_errors_of_a_look_up_never_make_it_absent(self, reply: Any) -> None:
        double = Shopify()
        double.next_reply = reply
        with double.connected() as connector:
            look = connector.look_up(ASKED)
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "graphql-error")

    def test_a_list_that_does_not_say_whether_there_is_more(self) -> None:
        double = Shopify()
        double.next_reply = {"data": {"products": {"edges": [], "pageInfo": {}}}}
        with double.connected() as connector, pytest.raises(InventoryError, match="unreadable-page"):
            list(connector.inventory(kind=DRAFT, deadline_s=2))


class TestDrupal:
    def test_a_list_with_omissions_is_never_complete(self) -> None:
        double = Drupal()
        with double.connected() as connector:
            connector.perform(request())
            double.omits = True
            look = connector.look_up(ASKED)
            assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "forbidden")
            with pytest.raises(InventoryError, match="omitted"):
                list(connector.inventory(kind=DRAFT, deadline_s=2))

    def test_the_loser_of_a_race_looks(self) -> None:
        double = Drupal()
        double.races = True
        with double.connected() as connector:
            connector.perform(request())
            answer = connector.perform(request())
        assert (answer.outcome, answer.code) == (Outcome.EXISTS, "unique-violation")

    @pytest.mark.parametrize(
        ("by", "change", "made"),
        [
            ("moderation_state", lambda double: None, [False]),
            # a site that cannot keep it unpublished so refuses, and nothing is made
            ("moderation_state", lambda double: setattr(double, "moderated", False), []),
            ("status", lambda double: None, []),
        ],
    )
    def test_what_keeps_a_node_unpublished(
        self, by: str, change: Callable[[Drupal], None], made: list[bool]
    ) -> None:
        double = Drupal()
        change(double)
        with double.connected(unpublished_by=by) as connector:
            answer = connector.perform(request(status=True, moderation_state="published"))
        assert [one.public for one in double.held()] == made
        assert answer.outcome == (Outcome.DONE if made else Outcome.REFUSED)
