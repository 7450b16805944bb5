"""Pictures of the house for its README. They are written to the tree only with ONCE_TEST_SCREENSHOTS=1."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import translation
from playwright.sync_api import ViewportSize

from once_delivery.accounts.models import Membership, Project, Role
from once_delivery.drill.models import Drill
from once_delivery.drill.services.deliver_demo import deliver_demo
from once_delivery.targets.profile import Guard
from tests.billing import worked_example as example
from tests.browser.conftest import NewVisitor
from tests.browser.demo import Demo, actions, work
from tests.house.sources import ROOT

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("working")]

TREE = ROOT / "docs" / "screenshots"
MOST_BYTES = 200_000
WINDOW: ViewportSize = {"width": 1280, "height": 800}


def test_the_readmes_pictures(demo: Demo, visitor: NewVisitor, tmp_path: Path, language: str) -> None:
    with translation.override(language):
        call_command("drill", project="demo")
    deliver_demo(project=demo.project, admin=demo.admin)
    books = _the_example(demo)
    target, judge = demo.target(Guard.NONE, name=f"press-site-{language}")
    batch = demo.batch(target, "露营灯", "手冲壶", "保温杯", name="winter")
    judge.lose_answer(actions(batch)[1].marker, keep_open=False)
    work(batch, "confirmed", "reconcile", "confirmed")
    case = demo.case(batch, 1)
    pages = {
        "home": ("ops", "/"),
        "batch": ("ops", f"/batches/{batch.uuid}/"),
        "case": ("ops", f"/cases/{case.uuid}/"),
        "review": ("marketing", f"/review/{actions(batch)[0].task.uuid}/"),
        "drill": ("ops", f"/drills/{Drill.objects.get().uuid}/"),
        "targets": ("ops", "/targets/"),
        "costs": ("finance", f"/finance/{books.code}/?month=2026-09"),
    }
    folder = TREE if os.environ.get("ONCE_TEST_SCREENSHOTS") == "1" else tmp_path
    folder.mkdir(exist_ok=True)
    people = {
        name: visitor(name, demo.passwords[name], viewport=WINDOW)
        for name in {name for name, _path in pages.values()}
    }
    for page, (name, path) in pages.items():
        person = people[name]
        person.go(path)
        for scheme in ("light", "dark") if page in {"batch", "case"} else ("light",):
            person.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            file = folder / f"{page}{'-dark' if scheme == 'dark' else ''}.{language}.png"
            person.page.screenshot(path=file, animations="disabled")
            assert file.stat().st_size < MOST_BYTES, file.name
        person.page.emulate_media(color_scheme="light", reduced_motion="reduce")


def _the_example(demo: Demo) -> Project:
    """The worked example of docs/costs.md, for the demo's finance to read."""
    made = example.begin()
    example.september_happens(made)
    example.september_is_booked(made)
    example.finance_decides(made)
    example.september_is_closed(made)
    example.october(made)
    Membership.objects.get_or_create(
        project=made.project, user=demo.person("finance"), defaults={"role": Role.FINANCE}
    )
    return made.project
