"""The help: every topic in both languages, every page with its topic, no dead end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client as Browser
from django.urls import Resolver404, resolve

from once_delivery.web.help_topics import BY_KEY, HELP, LANGUAGES, SCREENS, TOPICS, topic_of
from once_delivery.web.urls import urlpatterns
from tests.web.conftest import World, signed_in
from tests.web.pages import addresses

TEXTS = Path(settings.BASE_DIR) / "templates" / "help"
LINK = re.compile(r'<a [^>]*href="([^"]+)"')
HEAD_LINK = re.compile(r'<a class="btn[^"]*" href="(/help/[^"]*)"')


def text_of(language: str, key: str) -> str:
    return (TEXTS / language / f"{key}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_topic_is_written_and_none_is_left_over(language: str) -> None:
    assert {file.stem for file in (TEXTS / language).iterdir()} == set(BY_KEY)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.key)
def test_both_languages_say_the_same_things(topic: object) -> None:
    key = topic.key  # type: ignore[attr-defined]
    shapes = [re.findall(r"<(h2|dt|li|tr|p|kbd)\b", text_of(language, key)) for language in LANGUAGES]
    assert shapes[0] == shapes[1]
    links = [sorted(re.findall(r'"help-topic" "(\w+)"', text_of(language, key))) for language in LANGUAGES]
    assert links[0] == links[1]


def test_the_topics_name_addresses_that_are_there() -> None:
    known = {str(one.name) for one in urlpatterns}
    named = {name for topic in SCREENS for name in topic.addresses if not name.endswith(":")}
    assert named - known == set()
    assert sum(len(topic.addresses) for topic in SCREENS) == len(
        {name for topic in SCREENS for name in topic.addresses}
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_leads_to_the_topic_that_explains_it(world: World, language: str) -> None:
    browser = signed_in(world.alice, language=language)
    wrong = {}
    for address in addresses(world):
        name = resolve(address.split("?")[0]).view_name
        found = HEAD_LINK.findall(browser.get(address).content.decode())
        topic = topic_of(name)
        if name not in HELP and (topic is None or found != [f"/help/{topic.key}/"]):
            wrong[address] = found
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_link_of_the_help_is_dead(world: World, language: str) -> None:
    browser = signed_in(world.alice, language=language)
    pages = ["/help/", *(f"/help/{key}/" for key in BY_KEY)]
    for page in pages:
        answer = browser.get(page)
        assert answer.status_code == 200, page
        for goal in LINK.findall(answer.content.decode()):
            assert goal.startswith("#") or _resolves(goal), f"{page} → {goal}"


def test_a_topic_that_is_not_there(world: World) -> None:
    assert signed_in(world.alice).get("/help/nothing/").status_code == 404


def test_help_is_read_in_the_language_of_the_page(world: World) -> None:
    said = {
        language: signed_in(world.alice, language=language).get("/help/resume/").content.decode()
        for language in LANGUAGES
    }
    assert "the result first and then performs only what is missing" in said["en"]
    assert "先查结果，再只补缺的动作" in said["zh-hans"]


def test_nobody_reads_it_from_outside() -> None:
    assert Browser().get("/help/words/").status_code == 302


def _resolves(goal: str) -> bool:
    try:
        resolve(goal.split("?", maxsplit=1)[0])
    except Resolver404:
        return False
    return True
