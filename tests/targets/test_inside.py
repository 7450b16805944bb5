"""The operator's word goes before a target's row: where targets may not lead inside, nothing of this house goes there."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from pytest_django import Settings

from once_delivery.common.errors import InvalidInputError
from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.targets.base import Connection, InventoryError, Kind
from once_delivery.targets.inside import DRILLS, SANDBOX, may_go_inside, own_place
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import connect
from once_delivery.targets.rest.profiles import ready_profile
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_project
from tests.fakes.scripted_server import ScriptedServer, answered, serving
from tests.house.sources import ROOT


@pytest.fixture
def inside() -> Iterator[ScriptedServer]:
    with serving(answered({"secret": 1})) as server:
        yield server


@pytest.fixture
def refused(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.TARGETS_MAY_GO_INSIDE = False
    for name in (SANDBOX, DRILLS):
        monkeypatch.delenv(name, raising=False)


def listed(connection: Connection) -> str:
    """The code with which the connector's first list ends."""
    connector = connect("rest", connection)
    try:
        list(connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=5))
    except InventoryError as error:
        return error.code
    finally:
        connector.close()
    return ""


def at(url: str) -> Connection:
    declared = ready_profile("sandbox", Guard.LOOKUP).declaration
    return Connection(url, declared, {"token": "t"}, allow_inside=True)


def test_no_connector_goes_inside_whatever_the_row_says(inside: ScriptedServer, refused: None) -> None:
    assert listed(at(inside.url)) == "address-refused"
    assert inside.requests == []


def test_where_the_operator_lets_them_they_do(inside: ScriptedServer) -> None:
    assert listed(at(inside.url)) != "address-refused"
    assert inside.requests


def test_the_operators_sandbox_and_a_drills_own_places_may_be_dialled(
    refused: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SANDBOX, "http://127.0.0.1:8100")
    with own_place("http://127.0.0.1:9000/x"):
        for url, may in {
            "http://127.0.0.1:8100/spaces/a": True,
            "http://127.0.0.1:9000/y": True,
            "http://127.0.0.1:81000/": False,
            "http://127.0.0.1:8000/": False,
            "https://127.0.0.1:8100/": False,
            "http://127.0.0.1:8100@127.0.0.1:8000/": False,
            "http://127.0.0.1:8100.evil.example/": False,
            "http://[/": False,
            "": False,
        }.items():
            assert may_go_inside(url, allow_inside=True) is may, url
            assert not may_go_inside(url, allow_inside=False)
    assert not may_go_inside("http://127.0.0.1:9000/y", allow_inside=True)


def test_two_drills_of_one_process_keep_their_own_places(refused: None) -> None:
    first, second = own_place("http://127.0.0.1:9001"), own_place("http://127.0.0.1:9002")
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not may_go_inside("http://127.0.0.1:9001", allow_inside=True)
    assert may_go_inside("http://127.0.0.1:9002", allow_inside=True)
    second.__exit__(None, None, None)
    assert not may_go_inside("http://127.0.0.1:9002", allow_inside=True)


@pytest.mark.django_db
def test_none_is_stored_that_would(refused: None) -> None:
    ready = ready_profile("sandbox", Guard.LOOKUP)
    with pytest.raises(InvalidInputError) as caught:
        save_target(
            project=a_project(),
            name="cms",
            kind="rest",
            base_url="http://127.0.0.1:8000",
            declaration=ready.declaration,
            profile=ready.profile,
            credentials={"token": "t"},
            allow_inside=True,
        )
    assert [one.code for one in caught.value.problems] == ["inside-not-allowed"]
    assert not Target.objects.exists()


@pytest.mark.parametrize(("allowed", "status"), [(False, None), (True, 200)])
def test_a_drills_own_proxy_dials_what_its_target_may(
    inside: ScriptedServer, allowed: bool, status: int | None
) -> None:
    with LosingProxy(inside.url, allow_inside=allowed) as proxy:
        connection = http.client.HTTPConnection(urlsplit(proxy.base_url).netloc, timeout=5)
        connection.request("GET", "/metrics")
        try:
            got = connection.getresponse().status
        except http.client.RemoteDisconnected:
            got = None
        connection.close()
    assert (got, len(inside.requests)) == (status, int(allowed))


def test_nobody_reads_the_row_alone() -> None:
    """Whoever would dial by ``target.allow_inside`` passes the operator by."""
    allowed = {
        "once_delivery/targets/connecting.py",  # hands it to registry.connect, which asks the operator
        "once_delivery/targets/models/target.py",
        "once_delivery/targets/services/save_target.py",
        "once_delivery/web/target_form/form.py",
        "once_delivery/drill/services/drill_target.py",  # copies it into the row of its stand-in
    }
    reading = re.compile(r"target\.allow_inside|self\.allow_inside|held\.allow_inside")
    found = {
        file.relative_to(ROOT).as_posix()
        for folder in ("once_delivery", "reconciliation", "billing")
        for file in (ROOT / folder).rglob("*.py")
        if reading.search(file.read_text(encoding="utf-8"))
    }
    assert found <= allowed
