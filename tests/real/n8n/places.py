"""Where the drafts of a case go: a target of its own behind a proxy that loses answers, counted in its own storage."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.sandbox.client import SandboxAdmin
from tests.real.systems.wordpress import WordPressSite

LETTERS = ("A", "B", "C")


class Place(Protocol):
    """One target of one case."""

    @property
    def name(self) -> str:
        """What its drafts are named after."""

    @property
    def proxy(self) -> LosingProxy:
        """What stands before it."""

    @property
    def authorization(self) -> str:
        """The value of that header."""

    @property
    def base_url(self) -> str:
        """What stands before ``/drafts`` in the sandbox, through the proxy; elsewhere the site."""

    def lost(self) -> int:
        """How many answers about a draft that had been made never reached who had asked for it."""

    def held(self) -> Counter[str]:
        """How many drafts there are for each title."""


@dataclass(frozen=True)
class SandboxPlace:
    """A space of the sandbox. ``settings``: what protects it; without any, it makes what it is told to make."""

    admin: SandboxAdmin
    proxy: LosingProxy
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.admin.put_space(self.name, **self.settings)

    @property
    def token(self) -> str:
        return self.admin.get_space(self.name)["token"]

    @property
    def authorization(self) -> str:
        return f"Bearer {self.token}"

    @property
    def base_url(self) -> str:
        return f"{self.proxy.base_url}/spaces/{self.name}"

    def lost(self) -> int:
        return _lost(self.proxy, f"/spaces/{self.name}/")

    def sent(self) -> list[str]:
        """Every path that was called to make something."""
        return [call.path for call in self.proxy.calls() if f"/spaces/{self.name}/" in call.path]

    def held(self) -> Counter[str]:
        return Counter(one["title"] or "" for one in self.admin.objects(self.name, kind="drafts"))


@dataclass(frozen=True)
class WordPressPlace:
    """A site as it comes, and those of its drafts that are named after the case."""

    site: WordPressSite
    proxy: LosingProxy
    name: str

    @property
    def credentials(self) -> dict[str, str]:
        """What a target of this site is set up with."""
        password = self.site.passwords["delivery"]
        return {"username": "delivery", "application_password": password}

    @property
    def authorization(self) -> str:
        pair = f"delivery:{self.site.passwords['delivery']}"
        return f"Basic {base64.b64encode(pair.encode()).decode()}"

    @property
    def base_url(self) -> str:
        return self.proxy.base_url

    def lost(self) -> int:
        return _lost(self.proxy, "")

    def held(self) -> Counter[str]:
        rows = self.site.rows("SELECT post_title FROM wp_posts WHERE post_type = 'post'")
        return Counter(title for (title,) in rows if title.startswith(f"{self.name} "))


def _lost(proxy: LosingProxy, path: str) -> int:
    return sum(call.created and not call.answered for call in proxy.calls() if path in call.path)
