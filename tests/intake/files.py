"""Batch files made in memory, and a reader that tells what became of them."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from openpyxl import Workbook

from once_delivery.common.errors import Problem
from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.problems import ImportRefusedError, Note, Problems
from once_delivery.intake.reading import read_batch
from once_delivery.ledger.requests import BatchRequest, DeliveryRequest

HEADER = ("product", "locale", "purpose", "input_version", "brief", "target", "title", "body")
ROW = ("kettle", "de-DE", "product-page", 1, "Ruhig.", "cms", "Kessel", "<p>Ein Kessel.</p>")
SHANGHAI = ZoneInfo("Asia/Shanghai")
PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 16

Cells = Sequence[Any]


def row(**changes: Any) -> list[Any]:
    """A good row with ``changes``."""
    return list((dict(zip(HEADER, ROW, strict=True)) | changes).values())


def csv_bytes(*rows: Cells, header: Cells = HEADER, delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerows([header, *rows])
    return out.getvalue().encode(encoding)


def xlsx_bytes(*rows: Cells, header: Cells = HEADER) -> bytes:
    book = Workbook()
    for cells in (header, *rows):
        book.worksheets[0].append(list(cells))
    return saved(book)


def saved(book: Workbook) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def repacked(data: bytes, changes: Mapping[str, bytes | None]) -> bytes:
    """A ZIP with some members replaced, added, or (None) left out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        members = {name: old.read(name) for name in old.namelist()}
        for name, content in (members | dict(changes)).items():
            if content is not None:
                new.writestr(name, content)
    return out.getvalue()


def member(data: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)


def json_bytes(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def json_rows(*rows: Cells, header: Cells = HEADER) -> list[dict[str, Any]]:
    return [dict(zip(header, cells, strict=True)) for cells in rows]


@dataclass(frozen=True)
class Read:
    """What reading a file gave: a request, or problems."""

    request: BatchRequest | None
    problems: tuple[Problem, ...]
    notes: tuple[Note, ...]
    count: int = 0

    @property
    def deliveries(self) -> tuple[DeliveryRequest, ...]:
        assert self.request is not None, [problem.message for problem in self.problems]
        return self.request.deliveries

    @property
    def found(self) -> list[tuple[int | None, str | None, str]]:
        """(row, column or pointer, code) of each problem."""
        return [(one.row, one.column or one.pointer, one.code) for one in self.problems]

    @property
    def codes(self) -> set[str]:
        return {problem.code for problem in self.problems}

    @property
    def noted(self) -> list[str]:
        return [note.code for note in self.notes]


def read(
    data: bytes,
    name: str = "batch.csv",
    *,
    files: Mapping[str, bytes] | None = None,
    limits: Limits | None = None,
) -> Read:
    """Read ``data`` as an import does, without the database."""
    problems = Problems()
    try:
        reading = read_batch(
            data=data,
            file_name=name,
            batch_name="",
            attachments=files or {},
            zone=SHANGHAI,
            limits=limits or Limits(),
            problems=problems,
        )
    except ImportRefusedError as error:
        return Read(None, error.problems, error.notes, error.count)
    return Read(reading.request, (), tuple(problems.notes))
