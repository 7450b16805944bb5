from __future__ import annotations

import pytest

from once_delivery.targets.base import Verdict
from tests.fakes.scripted_server import answered
from tests.targets.rest_api import CLIENT_ID, api, declared, listed, thing, wanted


class TestByResultId:
    def test_found(self) -> None:
        with api(answered(thing())) as (connector, server):
            look = connector.look_up(wanted(result_id="d/1"))
        assert (look.verdict, look.method) == (Verdict.FOUND, "id")
        assert [received.target for received in server.requests] == ["/api/drafts/d%2F1"]

    def test_not_there_then_by_marker(self) -> None:
        with api(answered({}, 404), listed(thing(id="d7"))) as (connector, _):
            look = connector.look_up(wanted(result_id="d1"))
        assert (look.verdict, look.method, look.objects[0].result_id) == (Verdict.FOUND, "id+marker", "d7")

    def test_not_there_and_not_elsewhere(self) -> None:
        with api(answered({}, 404), listed()) as (connector, _):
            assert connector.look_up(wanted(result_id="d1")).verdict == Verdict.ABSENT

    def test_another_s_object_is_not_adopted(self) -> None:
        with api(answered(thing(marker="once-other")), listed()) as (connector, _):
            look = connector.look_up(wanted(result_id="d1"))
        assert (look.verdict, look.objects) == (Verdict.ABSENT, ())
        assert [found.result_id for found in look.candidates] == ["d1"]

    @pytest.mark.parametrize(("status", "code"), [(404, "not-found"), (403, "forbidden"), (500, "http-500")])
    def test_cannot_tell(self, status: int, code: str) -> None:
        declaration = declared(read={"not_found_is_absent": False})
        with api(answered({}, status), listed(), declaration=declaration) as (connector, _):
            look = connector.look_up(wanted(result_id="d1"))
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, code)

    def test_a_page_that_says_404_is_not_the_target_s_word(self) -> None:
        with api(answered("<h1>404", 404, content_type="text/html"), listed()) as (connector, _):
            look = connector.look_up(wanted(result_id="d1"))
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "html")

    @pytest.mark.parametrize(
        ("state", "finished", "code"),
        [
            ("queued", False, ""),
            ("succeeded", True, ""),
            ("failed", True, "job-failed"),
            ("new word", False, ""),
            (None, False, ""),
        ],
    )
    def test_jobs(self, state: str | None, finished: bool, code: str) -> None:
        state_map = {"pointer": "/state", "succeeded": ["succeeded"], "failed": ["failed"]}
        declaration = declared(object={"state": state_map, "usage": "/usage"})
        with api(answered(thing(state=state, usage={"units": 1})), declaration=declaration) as (connector, _):
            look = connector.look_up(wanted(result_id="d1"))
        (found,) = look.objects
        assert (look.verdict, look.code) == (Verdict.FOUND, code)
        assert (found.finished, found.failed, found.usage) == (finished, code != "", {"units": 1})


OWN = {"path": "/drafts/{{client_id}}", "not_found_is_absent": True}


class TestByClientId:
    def test_found(self) -> None:
        with api(answered(thing()), declaration=declared(look_up=None, read_by_client_id=OWN)) as (
            connector,
            server,
        ):
            look = connector.look_up(wanted())
        assert (look.verdict, look.method, look.complete) == (Verdict.FOUND, "client-id", True)
        assert server.requests[0].target == f"/api/drafts/{CLIENT_ID}"

    def test_absent_where_404_is_declared_to_mean_it(self) -> None:
        with api(answered({}, 404), declaration=declared(look_up=None, read_by_client_id=OWN)) as (
            connector,
            _,
        ):
            look = connector.look_up(wanted())
        assert (look.verdict, look.complete) == (Verdict.ABSENT, True)

    def test_404_alone_proves_nothing(self) -> None:
        own = {**OWN, "not_found_is_absent": False}
        with api(answered({}, 404), declaration=declared(look_up=None, read_by_client_id=own)) as (
            connector,
            _,
        ):
            assert connector.look_up(wanted()).verdict == Verdict.CANNOT_TELL

    def test_an_object_of_another_under_our_id_is_a_person_s_case(self) -> None:
        declaration = declared(look_up=None, read_by_client_id=OWN)
        with api(answered(thing(marker="once-other")), declaration=declaration) as (connector, _):
            look = connector.look_up(wanted())
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "marker-mismatch")
        assert len(look.candidates) == 1

    def test_together_with_the_marker_a_second_one_is_seen(self) -> None:
        answers = (answered(thing(id=CLIENT_ID)), listed(thing(id=CLIENT_ID), thing(id="d9")))
        with api(*answers, declaration=declared(read_by_client_id=OWN)) as (connector, _):
            look = connector.look_up(wanted())
        assert (look.verdict, look.method) == (Verdict.FOUND_MANY, "client-id+marker")
