"""Both languages say everything; Chinese pages have no English left over."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client as Browser
from django.utils import translation

from once_delivery.accounts.models import Role, User
from once_delivery.ledger.states import State
from tests.web.conftest import World, signed_in
from tests.web.pages import addresses, of_finance, read

READERS = [
    pytest.param(Role.OPS_OWNER, addresses, id="ops"),
    pytest.param(Role.FINANCE, of_finance, id="finance"),
]

# names of things that are called so in Chinese too, and what the test's own data says
LATIN = re.compile(r"[A-Za-z]{3,}")
KNOWN = {
    "ONCE",
    "delivery",
    "UTC",
    "CST",
    "CMS",
    "CSV",
    "XLSX",
    "Excel",
    "INV",
    "autumn",
    "FOCUS",
    "fal",
    "OpenAI",
    "Anthropic",
    "LiteLLM",
    "JSON",
    "HTTP",
    "manage",
    "make",
    "drill",
    "obj",
    "cms",
    "job",
    "title",  # a column, as the file heads it
    "fake",
    "kettle",
    "lamp",
    "cup",
}
# systems and their interfaces are called so everywhere
KNOWN |= {
    "API", "Admin", "Content", "Contentful", "Directus", "Drupal", "Ghost", "GraphQL", "Lake", "Sanity", "Shopify",
    "Strapi", "Wagtail", "WordPress",
}  # fmt: skip
WORDS_OF_DESIGN = {
    State.PLANNED: "未执行",
    State.SENDING: "执行中",
    State.ACCEPTED: "已受理",
    State.CONFIRMED: "已确认",
    State.UNCERTAIN: "结果不确定",
    State.RECONCILE: "待核对",
    State.REFUSED: "目标拒绝",
    State.SUPERSEDED: "已被新版本取代",
    State.CANCELLED: "已取消",
}


def test_states_have_the_words_of_the_design() -> None:
    with translation.override("zh-hans"):
        assert {state: str(state.label) for state in State} == WORDS_OF_DESIGN


@pytest.mark.parametrize(("role", "pages"), READERS)
def test_chinese_pages_have_no_english_left_over(
    world: World, role: Role, pages: Callable[[World], list[str]]
) -> None:
    browser = signed_in(world.people[role], language="zh-hans")
    left = {}
    for address in pages(world):
        response = browser.get(address)
        assert 'lang="zh-hans"' in response.content.decode()
        words = {word for said in read(response.content.decode()) for word in LATIN.findall(said)} - KNOWN
        if words:
            left[address] = words
    assert left == {}


@pytest.mark.parametrize(("role", "pages"), READERS)
def test_english_pages_have_no_chinese_left_over(
    world: World, role: Role, pages: Callable[[World], list[str]]
) -> None:
    browser = signed_in(world.people[role])
    data = {
        "秋季上新",
        "商品页",
        "手冲壶",
        "露营灯",
        "保温杯",
        "极光",
        "爱丽",
        "周舟",
        "简体中文",
        "甲公司工作流",
    }
    left = {}
    for address in pages(world):
        text = "".join(read(browser.get(address).content.decode()))
        for word in data:
            text = text.replace(word, "")
        if found := re.findall(r"[\u4e00-\u9fff]+", text):
            left[address] = found
    assert left == {}


@pytest.mark.parametrize("path", ["/sign-in/", "/nowhere/"])
def test_pages_before_signing_in_are_in_the_browsers_language(db: None, path: str) -> None:
    said = {
        language: read(Browser(headers={"accept-language": language}).get(path).content.decode())
        for language in ("zh-CN", "en-GB")
    }
    assert {word for text in said["zh-CN"] for word in LATIN.findall(text)} - KNOWN == set()
    assert not re.search(r"[\u4e00-\u9fff]", "".join(said["en-GB"]).replace("简体中文", ""))


def test_the_choice_is_kept_in_the_browser_and_with_the_person(world: World) -> None:
    browser = signed_in(world.alice)
    response = browser.post("/preferences/language/", {"language": "zh-hans", "next": "/cases/"})

    assert (response.status_code, response["Location"]) == (302, "/cases/")
    assert "等你处理的" in browser.get("/").content.decode()
    assert User.objects.get(pk=world.alice.pk).language == "zh-hans"


def test_another_browser_of_the_person_speaks_the_language_after_signing_in(world: World) -> None:
    User.objects.filter(pk=world.alice.pk).update(language="zh-hans")
    browser = Browser(headers={"accept-language": "en"})
    browser.post("/sign-in/", {"username": "alice", "password": "quite-a-long-one"})
    assert "等你处理的" in browser.get("/").content.decode()


def test_an_unknown_language_changes_nothing(alice: Browser) -> None:
    alice.post("/preferences/language/", {"language": "xx"})
    assert "What waits for you" in alice.get("/").content.decode()
