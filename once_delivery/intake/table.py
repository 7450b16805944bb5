"""From a table to deliveries: headings, cells, agreement of the rows, pictures. All problems, then all or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo

from once_delivery.common.sheets.places import Place
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Row, Sheet
from once_delivery.intake.agreement import Shared, check_repeats
from once_delivery.intake.drafts import draft_actions
from once_delivery.intake.headings import read_headings
from once_delivery.intake.images import Images
from once_delivery.intake.lines import Line, LineReader
from once_delivery.ledger.requests import DeliveryRequest


@dataclass(frozen=True, slots=True)
class Table:
    """The deliveries of a table, and where the columns of each stand."""

    sheet: Sheet
    deliveries: tuple[DeliveryRequest, ...]
    reader: LineReader

    def place(self, row: int | None, name: str) -> Place:
        """Where column ``name`` of row number ``row`` stands."""
        if row is None:
            return Place()
        return self.reader.place(Row(number=row, cells=()), name)


def read_table(sheet: Sheet, *, zone: tzinfo, images: Images, problems: Problems) -> Table:
    """The deliveries that ``sheet`` asks for; raises ImportRefusedError with all problems of all rows."""
    headings = read_headings(sheet, problems)
    reader = LineReader(sheet, headings, zone=zone, images=images, problems=problems)
    lines = [line for row in sheet.rows if (line := reader.read(row)) is not None]
    shared = Shared(reader.said, reader.place, problems)
    check_repeats(lines, reader.place, problems)
    problems.stop_if_any()
    return Table(sheet=sheet, deliveries=tuple(_delivery(line, shared) for line in lines), reader=reader)


def _delivery(line: Line, shared: Shared) -> DeliveryRequest:
    payload = {
        "title": line.title,
        "body": line.body,
        "locale": line.locale,
        "product": line.product,
        "purpose": line.purpose,
        **line.fields,
    }
    return DeliveryRequest(
        product=line.product,
        product_name=shared.value(line, "product_name") or "",
        locale=line.locale,
        purpose=line.purpose,
        input_version=line.input_version,
        brief=shared.value(line, "brief"),
        approved_by=shared.value(line, "approved_by") or "",
        approved_at=shared.value(line, "approved_at"),
        actions=draft_actions(
            target=line.target, payload=payload, image=line.image, alt=line.image_alt or ""
        ),
        row=line.row.number,
    )
