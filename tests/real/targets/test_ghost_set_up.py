"""Ghost set up wrongly, or otherwise than usual: another key, another address, another clock."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from once_delivery.targets.base import Connection, Kind, LookUpRequest, Outcome, Verdict
from once_delivery.targets.registry import connect
from tests.real.systems.ghost import GhostServer
from tests.real.targets.asking import Asker, a_marker
from tests.real.targets.ghost_system import NOBODYS_KEY, GhostSystem

pytestmark = pytest.mark.real
DRAFT = Kind.CREATE_DRAFT


@pytest.fixture
def system(ghost: GhostServer) -> GhostSystem:
    return GhostSystem(ghost)


@pytest.fixture
def connected(system: GhostSystem) -> Iterator[Any]:
    """Connectors with another account, address or declaration."""
    opened = []

    def make(account: str = "delivery", base_url: str = "", **changes: Any) -> Any:
        known = system.connection(base_url=base_url)
        key = system.server.keys.get(account, NOBODYS_KEY)
        declared = {**known.declaration, **changes}
        opened.append(
            connect("ghost", Connection(known.base_url, declared, {"admin_api_key": key}, allow_inside=True))
        )
        return opened[-1]

    yield make
    for one in opened:
        one.close()


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"account": "nobody"}, ("account", "key-unknown")),
        ({"account": "away"}, ("account", "account-suspended")),
        ({"account": "integration"}, ("cannot-publish", "may-publish")),
        ({"account": "author"}, ("cannot-publish", "may-publish")),
        ({"account": "editor"}, ("cannot-publish", "may-publish")),
        ({"site_url": "https://www.example.com"}, ("site-url", "site-url-differs")),
    ],
    ids=str,
)
def test_what_is_set_up_wrongly_is_found(
    connected: Any, changes: dict[str, Any], wrong: tuple[str, str]
) -> None:
    lines = connected(**changes).check()
    assert [(line.name, line.code) for line in lines if not line.ok] == [wrong], lines


def test_a_clock_of_ours_that_is_slow(connected: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() - 400)
    lines = connected().check()
    assert [(line.name, line.code) for line in lines if not line.ok] == [
        ("clock", "clock-slow"),
        ("account", "token-expired"),
    ]


def test_a_clock_of_ours_that_is_fast(connected: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 400)
    assert [line for line in connected().check() if not line.ok] == []


def test_an_address_that_is_not_ghosts(connected: Any, system: GhostSystem) -> None:
    (line,) = connected(base_url=f"{system.server.base_url}/blog").check()
    assert (line.name, line.code) == ("connection", "no-api")


def test_a_site_that_sends_us_elsewhere(connected: Any, system: GhostSystem) -> None:
    with system.server.under_another_address("https://shop.example.com") as reached:
        connector = connected(base_url=reached)
        (line,) = connector.check()
        assert (line.code, line.detail) == ("redirect", "https://shop.example.com/ghost/api/admin/site/")
        look = connector.look_up(LookUpRequest(DRAFT, a_marker(), "", 20))
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "redirect")
        asker = Asker(system)
        asker.connector.close()
        asker.connector = connector
        answer = asker.perform(DRAFT, a_marker())
        assert (answer.outcome, answer.code) == (Outcome.REFUSED, "redirect")


def test_a_private_site_is_no_other(asker: Asker, system: GhostSystem) -> None:
    private = [{"key": "is_private", "value": True}, {"key": "password", "value": "abc"}]
    assert system.server.ask("PUT", "/settings/", {"settings": private})[0] == 200
    try:
        assert system.server.page("/")[0] == 302
        marker = a_marker()
        assert asker.perform(DRAFT, marker).outcome == Outcome.DONE
        assert asker.look(DRAFT, marker).verdict == Verdict.FOUND
        assert [line for line in asker.connector.check() if not line.ok] == []
    finally:
        system.server.ask("PUT", "/settings/", {"settings": [{"key": "is_private", "value": False}]})


def test_an_integrations_key_makes_drafts_too(connected: Any, system: GhostSystem) -> None:
    asker, marker = Asker(system), a_marker()
    asker.connector = connected("integration")
    made_so = asker.perform(DRAFT, marker, **system.publishing_payload())
    assert made_so.outcome == Outcome.DONE
    assert [one.live for one in system.held(DRAFT, marker)] == [False]
