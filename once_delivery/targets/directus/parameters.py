"""What an operator declares of a Directus project: where drafts go, and which field carries the marker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.targets import schema

FIELDS = {"title": "title", "body": "body"}
FILE_FIELDS = {"alt": "description", "caption": "title"}
ID = "id"


@dataclass(frozen=True, slots=True)
class Parameters:
    """``client_id``: the collection's key is a UUID, and we choose it. ``file_marker_field`` None: no uploads."""

    collection: str
    client_id: bool
    marker_field: str
    status_field: str
    draft_value: str
    archived_value: str | None
    created_field: str
    updated_field: str
    fields: Mapping[str, str]  # of the payload → of the collection
    file_marker_field: str | None
    file_fields: Mapping[str, str]
    folder: str | None  # where uploads go
    admin_path: str

    @property
    def own(self) -> frozenset[str]:
        """Fields of the collection that no content may set."""
        return frozenset({ID, self.marker_field, self.status_field, self.created_field, self.updated_field})


def read_parameters(declaration: Mapping[str, Any]) -> Parameters:
    """Raises InvalidInputError with a pointer to each field that does not fit ``schemas/directus.json``."""
    schema.validate(declaration, "directus")
    given = declaration.get
    client_id: bool = declaration.get("client_id") is not False
    parameters = Parameters(
        collection=declaration["collection"],
        client_id=client_id,
        marker_field=given("marker_field", "external_ref"),
        status_field=given("status_field", "status"),
        draft_value=given("draft_value", "draft"),
        archived_value=given("archived_value", "archived"),
        created_field=given("created_field", "date_created"),
        updated_field=given("updated_field", "date_updated"),
        fields=FIELDS | given("fields", {}),
        file_marker_field=given("file_marker_field", "external_ref"),
        file_fields=FILE_FIELDS | given("file_fields", {}),
        folder=given("folder"),
        admin_path=given("admin_path", "/admin"),
    )
    _refuse_own(parameters)
    return parameters


def _refuse_own(parameters: Parameters) -> None:
    """Content that could set the marker or the status could publish, or pass for another's."""
    taken = [
        (f"/fields/{ours}", theirs) for ours, theirs in parameters.fields.items() if theirs in parameters.own
    ]
    taken += [
        (f"/file_fields/{ours}", theirs)
        for ours, theirs in parameters.file_fields.items()
        if theirs == parameters.file_marker_field
    ]
    problems = tuple(
        Problem(
            code="field-is-ours",
            template=gettext_noop("%(pointer)s: content may not set “%(field)s”."),
            params={"pointer": pointer, "field": field},
            pointer=pointer,
        )
        for pointer, field in taken
    )
    if problems:
        raise InvalidInputError(problems)
