"""What an operator declares of a Wagtail site: where drafts go, and which of its fields carries the marker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.targets import schema

FIELDS = {"title": "title", "body": "body"}
IMAGE_FIELDS = {"alt": "description"}


@dataclass(frozen=True, slots=True)
class Parameters:
    """``marker_field`` None: the site has no field of ours, and the slug carries the marker."""

    page_type: str
    parent_id: int
    parent_by_locale: Mapping[str, int]
    marker_field: str | None
    fields: Mapping[str, str]  # of the payload → of the page
    image_marker_field: str | None
    image_fields: Mapping[str, str]
    api_path: str
    admin_path: str

    @property
    def parents(self) -> tuple[int, ...]:
        """Every page below which drafts may go."""
        return tuple(dict.fromkeys((self.parent_id, *self.parent_by_locale.values())))

    def parent_of(self, payload: Mapping[str, Any]) -> int:
        """Where this draft goes."""
        return self.parent_by_locale.get(str(payload.get("locale", "")), self.parent_id)


def read_parameters(declaration: Mapping[str, Any]) -> Parameters:
    """Raises InvalidInputError with a pointer to each field that does not fit ``schemas/wagtail.json``."""
    schema.validate(declaration, "wagtail")
    return Parameters(
        page_type=declaration["page_type"],
        parent_id=declaration["parent_id"],
        parent_by_locale=declaration.get("parent_by_locale", {}),
        marker_field=declaration.get("marker_field", "external_ref"),
        fields=FIELDS | declaration.get("fields", {}),
        image_marker_field=declaration.get("image_marker_field", "external_ref"),
        image_fields=IMAGE_FIELDS | declaration.get("image_fields", {}),
        api_path=declaration.get("api_path", "/api/v3"),
        admin_path=declaration.get("admin_path", "/admin"),
    )
