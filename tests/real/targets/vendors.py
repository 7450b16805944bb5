"""What a vendor has who writes to one of the real systems: its way in, its dialect, and the storage's own count."""

from __future__ import annotations

import base64
import html
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from once_delivery.targets.profile import Guard
from tests.real.systems.directus import DirectusServer
from tests.real.systems.ghost import GhostServer
from tests.real.systems.strapi import StrapiServer
from tests.real.systems.wordpress import WordPressServer
from tests.real.targets.directus_system import DirectusSystem
from tests.real.targets.ghost_system import GhostSystem
from tests.real.targets.strapi_system import StrapiSystem
from tests.real.targets.system import RealSystem
from tests.real.targets.wordpress_system import WordPressSystem


@dataclass(frozen=True, slots=True)
class Vendored:
    """``titles``: of every draft in the system's own storage."""

    system: RealSystem
    dialect: str
    authorization: str
    titles: Callable[[], Iterable[str]]

    def held(self, titles: Iterable[str]) -> list[int]:
        """How many there are of each."""
        there = Counter(self.titles())
        return [there[one] for one in titles]


def on_wordpress(server: WordPressServer, dialect: str = "wordpress", account: str = "delivery") -> Vendored:
    """A site as it comes; the vendor has a contributor's application password, the target's own or another's."""
    site = server.plain
    pair = base64.b64encode(f"{account}:{site.passwords[account]}".encode()).decode()
    query = "SELECT post_title FROM wp_posts WHERE post_type = 'post' AND post_status <> 'auto-draft'"
    return Vendored(
        WordPressSystem(server, Guard.LOOKUP),
        dialect,
        f"Basic {pair}",
        lambda: [html.unescape(row[0]) for row in site.rows(query)],  # stored with &amp;
    )


def on_wordpress_with_plain_addresses(server: WordPressServer) -> Vendored:
    """By those that work on every site, also where pretty ones are switched off."""
    return on_wordpress(server, "wordpress-plain-addresses")


def files_on_wordpress(server: WordPressServer) -> Vendored:
    """The media library; the vendor has an author's application password."""
    site = server.plain
    pair = base64.b64encode(f"media:{site.passwords['media']}".encode()).decode()
    query = "SELECT post_title FROM wp_posts WHERE post_type = 'attachment'"
    return Vendored(
        WordPressSystem(server, Guard.LOOKUP),
        "wordpress",
        f"Basic {pair}",
        lambda: [html.unescape(row[0]) for row in site.rows(query)],
    )


def on_directus(server: DirectusServer) -> Vendored:
    """A collection without a unique field: nothing protects it."""
    return Vendored(
        DirectusSystem(server, Guard.LOOKUP),
        "directus",
        f"Bearer {server.tokens['delivery']}",
        lambda: [row[0] for row in server.rows("SELECT title FROM notes")],
    )


def on_strapi(server: StrapiServer) -> Vendored:
    """A type that its site lets drafts of through alone."""
    return Vendored(
        StrapiSystem(server, Guard.LOOKUP),
        "strapi",
        f"Bearer {server.tokens['plain']}",
        lambda: [row[0] for row in server.rows("SELECT title FROM stories WHERE published_at IS NULL")],
    )


def on_ghost(server: GhostServer) -> Vendored:
    """As it comes; the vendor has an integration's key, of which each token is good for five minutes."""
    return Vendored(
        GhostSystem(server),
        "ghost",
        f"Ghost {server.token('integration')}",
        lambda: [row[0] for row in server.rows("SELECT title FROM posts WHERE type = 'post'")],
    )
