"""The drill of a vendor at real targets: a script with retries must fail, the same with a permit must pass.

What the drill counted is counted once more in the system's own storage.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from pytest_django.live_server_helper import LiveServer

from once_delivery.ledger.models import RunTask
from once_delivery.vendor_drill.models import VendorDrill
from tests.real.systems.wordpress import WordPressServer
from tests.real.targets.vendor_drilling import Begun, begin_drill, some_titles
from tests.real.targets.vendors import (
    Vendored,
    on_directus,
    on_ghost,
    on_strapi,
    on_wordpress,
    on_wordpress_with_plain_addresses,
)
from tests.real.vendor_workflow.at_work import Workplace
from tests.real.vendor_workflow.dialects import DIALECTS
from tests.real.vendor_workflow.permits import permits_for

pytestmark = [pytest.mark.real, pytest.mark.django_db(transaction=True)]
LOST, BEFORE, LATE, TWO = "answer_lost", "error_before", "slow_commit", "two_at_once"
SYSTEMS: Mapping[str, tuple[str, Callable[[Any], Vendored]]] = {
    "directus": ("directus", on_directus),
    "ghost": ("ghost", on_ghost),
    "strapi": ("strapi", on_strapi),
    "wordpress": ("wordpress", on_wordpress),
    "wordpress-plain-addresses": ("wordpress", on_wordpress_with_plain_addresses),
}


@dataclass(frozen=True, slots=True)
class AtWork:
    """A vendor's script, and the drill that it is in."""

    begun: Begun
    workplace: Workplace

    def work(self, script: str, *, twice: Collection[str] = (), **environment: str) -> None:
        self.workplace.work(script, self.begun.titles, twice=twice, **environment)


Begin = Callable[..., AtWork]


@pytest.fixture
def begin(drill_proxy: int, tmp_path: Path) -> Begin:
    """B, C and on are struck by a fault each."""

    def started(vendored: Vendored, *faults: str, **credentials: str) -> AtWork:
        dialect = DIALECTS[vendored.dialect]
        begun = begin_drill(
            vendored, faults, some_titles(len(faults) + 1), "--slow", "6", "--race", "3",
            "--field", f"json:{dialect.field}", "--creates-at", dialect.creates_at, credentials=credentials,
        )  # fmt: skip
        return AtWork(begun, Workplace(begun.base_url, vendored.authorization, vendored.dialect, tmp_path))

    return started


@pytest.fixture(params=sorted(SYSTEMS))
def vendored(request: pytest.FixtureRequest) -> Vendored:
    server, made = SYSTEMS[request.param]
    return made(request.getfixturevalue(server))


def test_a_script_with_retries_makes_two(begin: Begin, vendored: Vendored, tmp_path: Path) -> None:
    vendor = begin(vendored, LOST, BEFORE)
    vendor.work("plain")
    code, verdicts = vendor.begun.finish(tmp_path)
    assert vendor.begun.held() == [1, 2, 1]
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
    vendor = begin(vendored, LOST, BEFORE)
    vendor.work("permitted", **permits_for(vendor.begun.project, live_server.url))
    code, verdicts = vendor.begun.finish(tmp_path)
    assert vendor.begun.held() == [1, 1, 1]
    assert verdicts == {
        "A": (True, "reused"),
        "B": (True, "found-again"),
        "C": (True, "created-once"),
        "": (True, "rest-untouched"),
    }
    assert code == 0


@pytest.mark.parametrize("vendored", ["directus", "wordpress"], indirect=True)
def test_two_workers_of_the_script_at_once_make_two(begin: Begin, vendored: Vendored, tmp_path: Path) -> None:
    vendor = begin(vendored, TWO)
    vendor.work("plain", twice=["lamp"])
    code, verdicts = vendor.begun.finish(tmp_path)
    assert vendor.begun.held() == [1, 2]
    assert verdicts == {"A": (True, "reused"), "B": (False, "not-race-safe"), "": (True, "rest-untouched")}
    assert code == 1


@pytest.mark.parametrize("vendored", ["directus", "wordpress"], indirect=True)
def test_of_two_with_a_permit_one_asks_the_cms(
    begin: Begin, vendored: Vendored, tmp_path: Path, live_server: LiveServer
) -> None:
    vendor = begin(vendored, TWO)
    vendor.work("permitted", twice=["lamp"], **permits_for(vendor.begun.project, live_server.url))
    assert RunTask.objects.filter(task__product__code="lamp").count() == 2  # both have asked ONCE
    vendor.begun.declare("--second-run", item="B")
    code, verdicts = vendor.begun.finish(tmp_path)
    assert vendor.begun.held() == [1, 1]
    assert verdicts == {"A": (True, "reused"), "B": (True, "only-one-asked"), "": (True, "rest-untouched")}
    assert code == 0


def test_what_lands_after_it_was_given_up_is_waited_for(
    begin: Begin, wordpress: WordPressServer, tmp_path: Path, live_server: LiveServer
) -> None:
    """The script gives D up after 4 s, WordPress has it after 6, and ONCE believes no absence before 8."""
    vendor = begin(on_wordpress(wordpress), LOST, BEFORE, LATE)
    vendor.work("permitted", **permits_for(vendor.begun.project, live_server.url))
    code, verdicts = vendor.begun.finish(tmp_path)
    assert vendor.begun.held() == [1, 1, 1, 1]
    assert verdicts["D"] == (True, "found-again")
    assert code == 0


def test_what_the_targets_account_is_not_shown_is_not_taken_for_missing(
    begin: Begin, wordpress: WordPressServer, tmp_path: Path
) -> None:
    """WordPress shows a contributor nobody else's drafts."""
    vendor = begin(on_wordpress(wordpress, account="other"), LOST)
    vendor.work("plain")
    assert vendor.begun.held() == [1, 2]
    with pytest.raises(CommandError, match="does not see it in the list") as refused:
        vendor.begun.finish(tmp_path)
    assert refused.value.returncode == 2
    assert VendorDrill.objects.get(uuid=vendor.begun.drill).status == "broken"


def test_an_editor_counts_what_the_vendors_own_account_makes(
    begin: Begin, wordpress: WordPressServer, tmp_path: Path
) -> None:
    editor = {"username": "editor", "application_password": wordpress.plain.passwords["editor"]}
    vendor = begin(on_wordpress(wordpress, account="other"), LOST, **editor)
    vendor.work("plain")
    _, verdicts = vendor.begun.finish(tmp_path)
    assert vendor.begun.held() == [1, 2]
    assert verdicts == {
        "A": (True, "reused"),
        "B": (False, "duplicate"),
        "": (True, "rest-untouched"),
    }
