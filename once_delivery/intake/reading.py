"""From the bytes of a batch file to a request: pure, without the database, so that it can be timed and tested."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import PurePath
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common import canonical
from once_delivery.common.errors import DomainError
from once_delivery.common.sheets.csv_file import read_csv
from once_delivery.common.sheets.formats import Format, check_size, format_of
from once_delivery.common.sheets.json_file import read_json
from once_delivery.common.sheets.json_rows import sheet_of_objects
from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.places import Place, pointer
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Sheet
from once_delivery.common.sheets.xlsx_file import read_xlsx
from once_delivery.intake.columns import known_headings
from once_delivery.intake.default_target import with_default_target
from once_delivery.intake.document import read_document
from once_delivery.intake.images import Images
from once_delivery.intake.table import read_table
from once_delivery.ledger.requests import BatchRequest, DeliveryRequest

TOO_MANY = gettext_noop("The file asks for more than %(most)s deliveries. Split it.")
NOT_A_BATCH = gettext_noop("An object with “deliveries” is expected, or an array of rows.")

PlaceOf = Callable[[int | None, str], Place]


@dataclass(frozen=True, slots=True)
class Reading:
    """A batch file, understood. ``place`` finds the cell or pointer of a delivery's part by its name."""

    request: BatchRequest
    format: Format
    place: PlaceOf


def read_batch(
    *,
    data: bytes,
    file_name: str,
    batch_name: str,
    attachments: Mapping[str, bytes],
    zone: tzinfo,
    limits: Limits,
    problems: Problems,
    default_target: str = "",
) -> Reading:
    """What ``data`` asks for; raises ImportRefusedError with all problems. Notes stay in ``problems``."""
    check_size(len(data), limits, problems)
    kind = format_of(data, file_name, problems)
    images = Images(attachments, limits, problems)
    document: Any = read_json(data, limits, problems) if kind is Format.JSON else None
    if isinstance(document, Mapping):
        said = document.get("batch")
        deliveries, place = _from_document(document, zone, images, limits, problems)
    else:
        said = None
        sheet = with_default_target(_sheet(kind, document, data, limits, problems), default_target)
        table = read_table(sheet, zone=zone, images=images, problems=problems)
        deliveries, place = table.deliveries, table.place
    request = BatchRequest(
        name=_name(batch_name or said or PurePath(file_name).stem, problems),
        deliveries=deliveries,
        files=images.files,
        source_name=PurePath(file_name).name[:255],
        source_sha256=hashlib.sha256(data).hexdigest(),
    )
    return Reading(request=request, format=kind, place=place)


def _sheet(kind: Format, document: Any, data: bytes, limits: Limits, problems: Problems) -> Sheet:
    match kind:
        case Format.CSV:
            return read_csv(data, limits, problems, known_headings)
        case Format.XLSX:
            return read_xlsx(data, limits, problems)
    if not isinstance(document, list):
        problems.add("not-a-batch", NOT_A_BATCH)
        raise problems.refusal()
    return sheet_of_objects(document, limits, problems)


def _from_document(
    document: Mapping[str, Any], zone: tzinfo, images: Images, limits: Limits, problems: Problems
) -> tuple[tuple[DeliveryRequest, ...], PlaceOf]:
    asked = document.get("deliveries")
    if isinstance(asked, list) and len(asked) > limits.rows:
        problems.add("too-many-rows", TOO_MANY, most=limits.rows)
        raise problems.refusal()
    return read_document(document, zone=zone, images=images, problems=problems), _document_place


def _document_place(row: int | None, name: str) -> Place:
    if row is None:
        return Place()
    # what stands inside an action is told at the delivery: which action it was is in the words
    path: list[str | int] = ["deliveries", row - 1]
    if name in {"product", "locale", "purpose", "input_version"}:
        path.append(name)
    return Place(row=row, pointer=pointer(path))


def _name(name: str, problems: Problems) -> str:
    try:
        return canonical.text(name, name="batch", longest=200)
    except DomainError as error:
        problems.add_error(error)
        raise problems.refusal() from None
