"""What an operator declares of a WordPress site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.targets import schema

FIELDS = {
    "title": "title",
    "body": "content",
    "excerpt": "excerpt",
    "featured_media": "featured_media",
    "categories": "categories",
    "tags": "tags",
}
# what every site accepts; a type that it does not accept is answered like any failure of the server
MEDIA_TYPES = {
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/gif": "gif",
    "image/webp": "webp",
    "application/pdf": "pdf",
    "video/mp4": "mp4",
}


@dataclass(frozen=True, slots=True)
class Parameters:
    """``marker_meta`` None: the site has registered no field of ours, and the slug alone carries the marker."""

    plugin: bool
    post_type: str  # as it stands in the address: "posts"
    marker_meta: str | None
    fields: Mapping[str, str]  # of the payload → of the post
    by_locale: Mapping[str, Mapping[str, Any]]  # what a draft in this language gets besides
    media_types: Mapping[str, str]  # → the file's ending
    recent: int  # of our newest posts, how many are looked through for a changed slug
    plain_permalinks: bool
    admin_path: str

    def address(self, route: str) -> tuple[str, dict[str, str]]:
        """Path and query of a route of the API."""
        if self.plain_permalinks:
            # servers answer 405 to a PUT of a folder
            return "/index.php", {"rest_route": route}
        return f"/wp-json{route}", {}


def read_parameters(declaration: Mapping[str, Any]) -> Parameters:
    """Raises InvalidInputError with a pointer to each field that does not fit ``schemas/wordpress.json``."""
    schema.validate(declaration, "wordpress")
    return Parameters(
        plugin=declaration.get("plugin", False),
        post_type=declaration.get("post_type", "posts"),
        marker_meta=declaration.get("marker_meta"),
        fields=FIELDS | declaration.get("fields", {}),
        by_locale=declaration.get("by_locale", {}),
        media_types=MEDIA_TYPES | declaration.get("media_types", {}),
        recent=declaration.get("recent", 200),
        plain_permalinks=declaration.get("plain_permalinks", False),
        admin_path=declaration.get("admin_path", "/wp-admin"),
    )
