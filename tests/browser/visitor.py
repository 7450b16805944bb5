"""A person with a browser: finds things by what they say, in the language of the story."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from django.utils import translation
from django.utils.translation import gettext, ngettext, pgettext
from playwright.sync_api import BrowserContext, Locator, Page, Response

from tests.browser.chromium import Watched

PATIENCE_MS = 15_000


class Visitor:
    """One person. What they look for is named by the English words of the source, and read in ``language``."""

    def __init__(self, context: BrowserContext, watched: Watched, language: str) -> None:
        self.context, self.watched, self.language = context, watched, language
        self.page: Page = context.new_page()

    def word(self, words: str, context: str = "", **values: Any) -> str:
        """The words as this visitor reads them."""
        with translation.override(self.language):
            said = pgettext(context, words) if context else gettext(words)
        return said % values if values else said

    def words(self, one: str, many: str, count: int, **values: Any) -> str:
        """Words that depend on a number."""
        with translation.override(self.language):
            return ngettext(one, many, count) % {"count": count, **values}

    # going somewhere

    def go(self, path: str) -> Response:
        response = self.page.goto(path)
        assert response is not None
        return response

    def goes_back(self, path: str) -> None:
        """By the browser's button: to this page, never to the question whether to send a form again."""
        self.page.go_back()
        assert self.page.url.startswith("http")
        assert self.is_at(path.partition("?")[0])
        self.page.locator("#main h1").wait_for()

    def is_at(self, path: str) -> bool:
        return urlsplit(self.page.url).path == path

    def waits_for(self, path: str) -> None:
        """Until the address is this one, a pattern of it."""
        self.page.wait_for_url(re.compile(rf"^https?://[^/]+{path}"))

    def sign_in(self, name: str, password: str) -> None:
        """By the form, as everybody does."""
        if not self.is_at("/sign-in/"):
            self.go("/sign-in/")
        self.page.get_by_label(self.word("User name"), exact=True).fill(name)
        self.page.get_by_label(self.word("Password"), exact=True).fill(password)
        self.press("Sign in")
        self.page.wait_for_url(lambda url: "/sign-in/" not in url)

    def leave(self) -> None:
        """Close everything; what a page sends when it is left has arrived before."""
        for page in self.context.pages:
            page.goto("about:blank")
        self.page.wait_for_timeout(200)
        self.context.close()

    # doing something

    def button(self, words: str, **values: Any) -> Locator:
        return self._shown(self.page.get_by_role("button", name=self.word(words, **values)))

    def link(self, words: str, **values: Any) -> Locator:
        return self._shown(self.page.get_by_role("link", name=self.word(words, **values)))

    def press(self, words: str, **values: Any) -> None:
        self.button(words, **values).click()

    def follow(self, words: str, **values: Any) -> None:
        self.link(words, **values).click()

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(self.word(label)).first.fill(text)

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    # seeing something

    def sees(self, words: str, **values: Any) -> None:
        """The page says it, now or in a moment."""
        self.sees_text(self.word(words, **values))

    def sees_text(self, text: str) -> None:
        """The page says exactly this, now or in a moment, whatever the language."""
        self._shown(self.page.get_by_text(text)).wait_for()

    def heading(self) -> str:
        return self.page.get_by_role("heading", level=1).inner_text()

    def reads(self) -> str:
        """All that the page's content says."""
        return self.page.locator("#main").inner_text()

    @staticmethod
    def _shown(found: Locator) -> Locator:
        return found.filter(visible=True).first
