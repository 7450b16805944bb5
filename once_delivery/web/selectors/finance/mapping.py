"""The columns of a sent file, and which field each is read as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from billing.models import ColumnMapping, SentDocument
from billing.suppliers.fields import BY_NAME, FIELDS
from billing.suppliers.mapping import IGNORED, suggested
from billing.suppliers.shapes import headings_to_map
from once_delivery.common.redact import storable
from once_delivery.common.sheets.limits import current_limits
from once_delivery.web.wording import Words

MOST = 200
FIELD_WORDS: Mapping[str, Words] = {
    "amount": _("Amount without tax"),
    "currency": _("Currency"),
    "used_at": _("When it was used"),
    "used_until": _("Until when it was used"),
    "request_id": _("Request ID"),
    "idempotency_key": _("Idempotency key"),
    "attempt": _("Our attempt"),
    "model": _("Model"),
    "units": _("Quantity used"),
    "unit": _("Name of the unit"),
    "tax": _("Tax"),
    "tax_treatment": _("Whether the tax can be recovered"),
    "category": _("Charge, credit or tax"),
    "sub_bucket": _("What for"),
    "description": _("Description"),
    "document": _("Number of the document"),
    "credits": _("Line that is credited"),
}


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """One heading of the file; ``field`` "" is not read."""

    number: int
    heading: str
    field: str


def columns_of(sent: SentDocument) -> tuple[ColumnChoice, ...]:
    """As its own mapping says, or the one kept for the supplier; what neither tells as its heading suggests."""
    headings = headings_to_map(bytes(sent.data), sent.file_name, current_limits())[:MOST]
    if not headings:
        return ()
    kept = ColumnMapping.objects.filter(supplier=sent.supplier, kind=sent.kind).first()
    said = sent.mapping if sent.mapping is not None else kept.columns if kept else {}
    fields = suggested(headings, said)
    return tuple(
        ColumnChoice(number, heading, field)
        for number, (heading, field) in enumerate(zip(headings, fields, strict=True))
    )


def field_choices() -> list[tuple[str, str]]:
    """Each field that a line may have, with its word."""
    return [(field.name, str(FIELD_WORDS[field.name])) for field in FIELDS]


def mapping_from(posted: Mapping[str, str]) -> dict[str, str | list[str]]:
    """What the form says: field → heading, and the headings that are not read."""
    ignored: list[str] = []
    mapping: dict[str, str | list[str]] = {IGNORED: ignored}
    for number in range(MOST):
        said = posted.get(f"heading-{number}")
        if said is None:
            break
        heading = storable(said)
        field = posted.get(f"field-{number}", "")
        if field in BY_NAME and field not in mapping:
            mapping[field] = heading
        else:
            ignored.append(heading)
    return mapping
