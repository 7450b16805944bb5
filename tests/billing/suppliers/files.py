"""Bills made in memory, and a reader that tells what became of them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from openpyxl import Workbook

from billing.suppliers.line import ReadLine
from billing.suppliers.shapes import Wanted, read_bill
from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.problems import ImportRefusedError, Problems

SHANGHAI = ZoneInfo("Asia/Shanghai")
HEADER = ("request_id", "used_at", "model", "units", "unit", "amount", "currency")


def csv_bytes(*rows: Sequence[Any], header: Sequence[str] = HEADER) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    return out.getvalue().encode()


def xlsx_bytes(*rows: Sequence[Any], header: Sequence[str] = HEADER) -> bytes:
    book = Workbook()
    assert book.active is not None
    for row in (header, *rows):
        book.active.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def json_bytes(document: Any) -> bytes:
    return json.dumps(document).encode()


def read(data: bytes, name: str = "bill.csv", **said: Any) -> list[ReadLine]:
    values: dict[str, Any] = {"zone": SHANGHAI, "currency": "USD", **said}
    wanted = Wanted(file_name=name, **values)
    return read_bill(data, wanted, Limits(), Problems()).lines


def refused(data: bytes, name: str = "bill.csv", **said: Any) -> list[tuple[str, int | None, str | None]]:
    """(code, row, column or pointer) of every problem."""
    try:
        read(data, name, **said)
    except ImportRefusedError as error:
        return [(problem.code, problem.row, problem.column or problem.pointer) for problem in error.problems]
    return []


def one(**changes: Any) -> Mapping[str, Any]:
    return {
        "request_id": "r-1",
        "used_at": "2026-09-14T09:00:00Z",
        "model": "flux",
        "units": "1",
        "unit": "image",
        "amount": "4.00",
        "currency": "USD",
    } | changes


def a_file(*lines: Mapping[str, Any]) -> bytes:
    header = list(dict.fromkeys(name for line in lines for name in line))
    return csv_bytes(*([line.get(name, "") for name in header] for line in lines), header=header)
