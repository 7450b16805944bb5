"""What an operator declares of a Ghost site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.targets import schema
from once_delivery.targets.http_json.address import base_url_of

FIELDS = {
    "title": "title",
    "body": "html",
    "excerpt": "custom_excerpt",
    "featured_media": "feature_image",
    "featured_alt": "feature_image_alt",
}


@dataclass(frozen=True, slots=True)
class Parameters:
    """``site_url``: the site's own address, which is the API's unless the two have different domains."""

    site_url: str
    fields: Mapping[str, str]  # of the payload → of the post
    images: bool  # uploads are wanted, although they cannot be listed


def read_parameters(declaration: Mapping[str, Any], base_url: str) -> Parameters:
    """Raises InvalidInputError with a pointer to each field that does not fit ``schemas/ghost.json``."""
    schema.validate(declaration, "ghost")
    return Parameters(
        site_url=base_url_of(declaration["site_url"]) if "site_url" in declaration else base_url,
        fields=FIELDS | declaration.get("fields", {}),
        images=declaration.get("images", False),
    )
