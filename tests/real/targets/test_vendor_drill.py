"""The drill of a vendor at real targets: a script with retries must fail, the same with a permit must pass.

Started and finished by the commands that an operator uses, and counted once more in the system's own storage.
"""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from once_delivery.accounts.models import Project
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.services.save_target import save_target
from once_delivery.vendor_drill.models import VendorDrill
from tests.builders import a_project
from tests.real.systems.wordpress import WordPressServer
from tests.real.targets.vendors import (
    Vendored,
    on_directus,
    on_ghost,
    on_strapi,
    on_wordpress,
    on_wordpress_with_plain_addresses,
)
from tests.real.vendor_workflow.at_work import Workplace
from tests.real.vendor_workflow.dialects import DIALECTS, Dialect
from tests.real.vendor_workflow.permits import permits_for
from tests.vendor_drill.given import proxy_running

pytestmark = [pytest.mark.real, pytest.mark.django_db(transaction=True)]
LOST, BEFORE, LATE = "answer_lost", "error_before", "slow_commit"
SYSTEMS: Mapping[str, tuple[str, Callable[[Any], Vendored]]] = {
    "directus": ("directus", on_directus),
    "ghost": ("ghost", on_ghost),
    "strapi": ("strapi", on_strapi),
    "wordpress": ("wordpress", on_wordpress),
    "wordpress-plain-addresses": ("wordpress", on_wordpress_with_plain_addresses),
}


@dataclass(frozen=True, slots=True)
class Begun:
    """A drill under way. ``titles``: by product, nobody's before."""

    drill: str
    project: Project
    vendored: Vendored
    workplace: Workplace
    titles: dict[str, str]

    def finish(self, folder: Path) -> tuple[int, dict[str, tuple[bool, str]]]:
        """The command's exit code, and the verdict and reason for each item."""
        data, code = folder / "report.json", 0
        try:
            call_command("vendor_drill", "finish", self.drill, "--json", str(data), stdout=io.StringIO())
        except SystemExit as end:
            code = int(end.code or 0)
        document: dict[str, Any] = json.loads(data.read_text(encoding="utf-8"))
        return code, {one["item"]: (one["passed"], one["why"]) for one in document["items"]}

    def held(self) -> list[int]:
        return self.vendored.held(self.titles.values())


Begin = Callable[..., Begun]


@pytest.fixture
def begin(settings: Settings, tmp_path: Path) -> Iterator[Begin]:
    """The target counted before, and the proxy's door open. B, C and on are struck by a fault each."""
    with proxy_running() as proxy:
        settings.DRILL_PROXY_URL = f"http://127.0.0.1:{proxy.port}"

        def started(vendored: Vendored, *faults: str, **credentials: str) -> Begun:
            name, project = uuid.uuid4().hex[:8], a_project("demo")
            _save(project, vendored, credentials)
            # a CMS that shows titles puts other quotes, dashes and ampersands there than were sent
            titles = {
                "kettle": f"Kettle {name}",
                "lamp": f'Lamp "{name}" & more -- 2',
                "chair": f"茶壶 {name}",
                "vase": f"Vase {name}",
            }
            titles = dict(list(titles.items())[: len(faults) + 1])
            told = _start(DIALECTS[vendored.dialect], faults, titles.values())
            workplace = Workplace(told["base_url"], vendored.authorization, vendored.dialect, tmp_path)
            return Begun(told["drill"], project, vendored, workplace, titles)

        yield started


def _save(project: Project, vendored: Vendored, credentials: dict[str, str]) -> None:
    system, way = vendored.system, vendored.system.connection()
    save_target(
        project=project,
        name="cms-test",
        kind=system.kind,
        base_url=way.base_url,
        declaration=way.declaration,
        profile=default_profiles(system.kind)[system.guard].numbers,
        credentials={**way.credentials, **credentials},
        allow_inside=True,
        is_test=True,
    )


def _start(dialect: Dialect, faults: Iterable[str], titles: Iterable[str]) -> dict[str, str]:
    told = io.StringIO()
    call_command(
        "vendor_drill", "start", "--vendor", "Acme Flows", "--target", "cms-test", "--machine", "--slow", "6",
        "--items", str(len(list(titles))), "--field", f"json:{dialect.field}", "--creates-at", dialect.creates_at,
        *(part for title in titles for part in ("--value", title)),
        *(part for fault in faults for part in ("--fault", fault)),
        stdout=told,
    )  # fmt: skip
    started: dict[str, str] = json.loads(told.getvalue())
    return started


@pytest.fixture(params=sorted(SYSTEMS))
def vendored(request: pytest.FixtureRequest) -> Vendored:
    server, made = SYSTEMS[request.param]
    return made(request.getfixturevalue(server))


def test_a_script_with_retries_makes_two(begin: Begin, vendored: Vendored, tmp_path: Path) -> None:
    begun = begin(vendored, LOST, BEFORE)
    begun.workplace.work("plain", begun.titles)
    code, verdicts = begun.finish(tmp_path)
    assert begun.held() == [1, 2, 1]
    assert verdicts == {
        "A": (True, "reused"),
        "B": (False, "duplicate"),
        "C": (True, "created-once"),
        "": (True, "rest-untouched"),
    }
    assert code == 1


def test_the_same_with_a_permit_makes_one_of_each(
    begin: Begin, vendored: Vendored, tmp_path: Path, live_server: LiveServer
) -> None:
    begun = begin(vendored, LOST, BEFORE)
    begun.workplace.work("permitted", begun.titles, **permits_for(begun.project, live_server.url))
    code, verdicts = begun.finish(tmp_path)
    assert begun.held() == [1, 1, 1]
    assert verdicts == {
        "A": (True, "reused"),
        "B": (True, "found-again"),
        "C": (True, "created-once"),
        "": (True, "rest-untouched"),
    }
    assert code == 0


def test_what_lands_after_it_was_given_up_is_waited_for(
    begin: Begin, wordpress: WordPressServer, tmp_path: Path, live_server: LiveServer
) -> None:
    """The script gives D up after 4 s, WordPress has it after 6, and ONCE believes no absence before 8."""
    begun = begin(on_wordpress(wordpress), LOST, BEFORE, LATE)
    begun.workplace.work("permitted", begun.titles, **permits_for(begun.project, live_server.url))
    code, verdicts = begun.finish(tmp_path)
    assert begun.held() == [1, 1, 1, 1]
    assert verdicts["D"] == (True, "found-again")
    assert code == 0


def test_what_the_targets_account_is_not_shown_is_not_taken_for_missing(
    begin: Begin, wordpress: WordPressServer, tmp_path: Path
) -> None:
    """WordPress shows a contributor nobody else's drafts."""
    begun = begin(on_wordpress(wordpress, account="other"), LOST)
    begun.workplace.work("plain", begun.titles)
    assert begun.held() == [1, 2]
    with pytest.raises(CommandError, match="does not see it in the list") as refused:
        begun.finish(tmp_path)
    assert refused.value.returncode == 2
    assert VendorDrill.objects.get(uuid=begun.drill).status == "broken"


def test_an_editor_counts_what_the_vendors_own_account_makes(
    begin: Begin, wordpress: WordPressServer, tmp_path: Path
) -> None:
    editor = {"username": "editor", "application_password": wordpress.plain.passwords["editor"]}
    begun = begin(on_wordpress(wordpress, account="other"), LOST, **editor)
    begun.workplace.work("plain", begun.titles)
    _, verdicts = begun.finish(tmp_path)
    assert begun.held() == [1, 2]
    assert verdicts == {
        "A": (True, "reused"),
        "B": (False, "duplicate"),
        "": (True, "rest-untouched"),
    }
