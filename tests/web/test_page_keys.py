"""The keys that the pages obey, those that ``?`` shows and those of the help are the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from once_delivery.web import page_keys
from once_delivery.web.case_wording import DECISION_KEYS
from tests.web.conftest import World, signed_in

WEB = Path(settings.BASE_DIR) / "templates"
OBEYED = re.compile(r'data-(?:row-)?key="([^"{}]+)"')


def letters(keys: page_keys.Keys) -> set[str]:
    return {one for key, _word in keys for one in key.split() if len(one) == 1 and one not in "–19"}


def test_every_key_of_a_page_is_told_and_every_key_that_is_told_is_there() -> None:
    obeyed = {key for file in WEB.rglob("*.html") for key in OBEYED.findall(file.read_text("utf-8"))}
    told = set().union(*(letters(keys) for _title, keys in page_keys.PAGES))
    # rows are walked through by the script itself, and the sheet is opened by it
    assert obeyed | set(DECISION_KEYS.values()) | {"j", "k", "?"} == told


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("/batches/", page_keys.BATCHES),
        ("/cases/", page_keys.QUEUE),
        ("/review/?state=all", page_keys.REVIEW_LIST),
    ],
)
def test_a_page_obeys_what_it_tells(world: World, path: str, keys: page_keys.Keys) -> None:
    browser = signed_in(world.people[next(role for role in world.people if str(role) == "admin")])
    html = browser.get(path).content.decode()
    assert letters(keys) - {"j", "k"} <= set(OBEYED.findall(html))
    assert "data-rows" in html


def test_a_case_obeys_what_it_tells(world: World) -> None:
    html = signed_in(world.alice).get(f"/cases/{world.case.uuid}/").content.decode()
    obeyed = set(OBEYED.findall(html))
    assert {"1", "m", "x", "g", "a", "s", "r", "c"} <= obeyed <= letters(page_keys.CASE) | {"1", "/"}


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_help_has_all_of_them(world: World, language: str) -> None:
    html = signed_in(world.vic, language=language).get("/help/keys/").content.decode()
    assert html.count("<tr>") == sum(len(keys) for _title, keys in page_keys.PAGES)
