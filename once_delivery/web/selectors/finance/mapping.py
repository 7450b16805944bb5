"""The columns of a sent file, and which field each is read as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from billing.models import ColumnMapping, SentDocument
from billing.suppliers.fields import BY_NAME
from billing.suppliers.mapping import IGNORED, suggested
from billing.suppliers.shapes import headings_to_map
from once_delivery.common.redact import storable
from once_delivery.common.sheets.limits import current_limits

MOST = 200


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """One heading of the file; ``field`` "" is not read."""

    number: int
    heading: str
    field: str


def columns_of(sent: SentDocument) -> tuple[ColumnChoice, ...]:
    """As its own mapping says, else the one kept for the supplier, else as columns are commonly called."""
    headings = headings_to_map(bytes(sent.data), sent.file_name, current_limits())[:MOST]
    if not headings:
        return ()
    kept = ColumnMapping.objects.filter(supplier=sent.supplier, kind=sent.kind).first()
    mapping = sent.mapping or (kept.columns if kept and kept.columns else suggested(headings))
    field_of = {str(heading): name for name, heading in mapping.items() if name != IGNORED}
    return tuple(
        ColumnChoice(number, heading, field_of.get(heading, "")) for number, heading in enumerate(headings)
    )


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
