"""``make run`` with its real CMS: set up once, drafts in it, a person signs in; again it takes nothing and sends nothing."""

from __future__ import annotations

import http.cookiejar
import re
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from tests.config.test_serve import Served, gone
from tests.workers import wait_for

pytestmark = pytest.mark.real
DRAFTS = 10  # of the sample batch


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    house = Served(tmp_path / "state")
    yield house
    if house.process is not None and not house.has_ended():
        house.process.kill()
        house.process.wait()
    EmbeddedPostgres(house.state_dir, durable=False).destroy()


class Person:
    """Somebody with a browser, signed in to Wagtail."""

    def __init__(self, admin: str, name: str, password: str) -> None:
        self.base = admin.removesuffix("/admin/")
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._browser = urllib.request.build_opener(cookies)
        form = self.get("/admin/login/")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)
        assert token is not None
        sent = {"csrfmiddlewaretoken": token[1], "username": name, "password": password, "next": "/admin/"}
        self.landed = self._browser.open(f"{self.base}/admin/login/", urlencode(sent).encode()).url

    def get(self, path: str) -> str:
        text: str = self._browser.open(self.base + path).read().decode()
        return text


def of_the_ledger(served: Served, query: str) -> list[tuple[Any, ...]]:
    place = EmbeddedPostgres(served.state_dir).connection()
    with psycopg.connect(make_conninfo(**place)) as connection:
        return connection.execute(query.encode()).fetchall()


def test_a_newcomer_finds_real_drafts_in_a_real_cms(served: Served) -> None:
    port = ["--wagtail-port", str(served.port + 8)]
    supervisor = served.start(*port)
    told = re.search(r"Wagtail CMS:\s+(\S+)\s+(\S+)\s+(\S+)", served.told())
    assert told is not None, served.told()
    person = Person(*told.groups())
    assert person.landed == told[1]

    links = of_the_ledger(
        served,
        "SELECT a.result_url, a.presence FROM ledger_action a JOIN targets_target t ON t.id = a.target_id"
        " WHERE t.name = 'wagtail' AND a.kind = 'create_draft' AND a.state = 'confirmed'",
    )
    assert [presence for _link, presence in links] == ["present"] * DRAFTS
    for link, _presence in links:
        page = person.get(link.removeprefix(person.base))
        assert "Editing Product page" in page
    for place in ("/admin/pages/", "/admin/images/", "/admin/reports/site-history/"):
        assert person.get(place)
    assert Person(told[1], told[2], "not the password").landed == f"{told[1]}login/"
    audits = of_the_ledger(
        served,
        "SELECT a.status, a.counts->>'matched', a.counts->'findings' FROM reconciliation_audit a"
        " JOIN targets_target t ON t.id = a.target_id WHERE t.name = 'wagtail'",
    )
    assert audits == [("complete", str(2 * DRAFTS), {})]

    everybody = supervisor.children(recursive=True)
    supervisor.send_signal(signal.SIGTERM)
    assert served.process is not None
    assert served.process.wait(timeout=60) == 0, served.told()
    wait_for(lambda: gone(everybody), 20)

    served.start(*port)
    assert "Setting up Wagtail" not in served.told()
    assert "autumn-launch-wagtail" not in served.told()
    assert Person(*told.groups()).landed == told[1]
    counted = "SELECT count(*) FROM ledger_attempt t JOIN ledger_action a ON a.id = t.action_id JOIN targets_target g ON g.id = a.target_id WHERE g.name = 'wagtail'"  # fmt: skip
    assert of_the_ledger(served, counted) == [(2 * DRAFTS,)]
    assert served.run("stop").returncode == 0
