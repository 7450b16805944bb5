"""What an operator declares of a Strapi site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.targets import schema
from once_delivery.targets.content import PayloadError

FIELDS = {"title": "title", "body": "body"}


@dataclass(frozen=True, slots=True)
class Parameters:
    """``locales`` empty: Strapi's default language, or a type without languages."""

    content_type: str  # as it stands in the address: "articles"
    plugin: bool
    marker_field: str
    fields: Mapping[str, str]  # of the payload → of the content type
    locales: Mapping[str, str]  # of the payload → of the site
    uid: str  # of the content type, for links
    api_path: str
    admin_path: str

    def locale_of(self, payload: Mapping[str, Any]) -> str:
        """The site's code for the language of a draft; raises PayloadError.

        Strapi stores what it is given, also for a language that the site does not have.
        """
        if not self.locales:
            return ""
        asked = str(payload.get("locale", ""))
        if asked not in self.locales:
            raise PayloadError("locale-not-declared", asked)
        return self.locales[asked]


def read_parameters(declaration: Mapping[str, Any]) -> Parameters:
    """Raises InvalidInputError with a pointer to each field that does not fit ``schemas/strapi.json``."""
    schema.validate(declaration, "strapi")
    return Parameters(
        content_type=declaration["content_type"],
        plugin=declaration.get("plugin", False),
        marker_field=declaration.get("marker_field", "external_ref"),
        fields=FIELDS | declaration.get("fields", {}),
        locales=declaration.get("locales", {}),
        uid=declaration.get("uid", ""),
        api_path=declaration.get("api_path", "/api"),
        admin_path=declaration.get("admin_path", "/admin"),
    )
