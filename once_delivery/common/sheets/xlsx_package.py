"""The ZIP that an XLSX is: checked before anything is unpacked, and the parts that a reader needs."""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.limits import MEGABYTE, Limits
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.xlsx_xml import BadWorkbookError, Start, events, local_attributes

_MOST_PARTS = 2_000
_MOST_RATIO = 300  # real sheets shrink 5 to 50 times
_SMALL = 2 * MEGABYTE  # below this a ratio says nothing

NOT_XLSX = gettext_noop("This is not an XLSX workbook, or it is damaged. Save it again as .xlsx.")
OTHER_PACKAGE = gettext_noop("This is a ZIP, but no XLSX workbook. Send CSV, XLSX or JSON.")
BOMB = gettext_noop("Unpacked, the workbook has %(size)s MB; %(most)s MB are allowed. Split it.")
ENCRYPTED = gettext_noop("The workbook is protected by a password. Save it without one.")
SHEETS = gettext_noop(
    "The workbook has %(count)s sheets: only the first that is shown, “%(name)s”, was read."
)

# what zipfile and zlib raise for bytes that are no ZIP, or stop being one half way
_DAMAGED = (
    zipfile.BadZipFile,
    NotImplementedError,  # a newer kind of ZIP
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    IndexError,
    BadWorkbookError,
)


@dataclass(frozen=True, slots=True)
class Parts:
    """The names of the parts that are read, and the workbook's way to count days."""

    archive: zipfile.ZipFile
    sheet: str
    strings: str | None
    styles: str | None
    since_1904: bool

    def open(self, name: str) -> IO[bytes]:
        """One part, unpacked while it is read."""
        return _open(self.archive, name)


@contextmanager
def package(data: bytes, limits: Limits, problems: Problems) -> Iterator[Parts]:
    """The workbook's parts; raises ImportRefusedError for what is none, damaged, or too large unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check(archive, limits, problems)
            yield _parts(archive, problems)
    except _DAMAGED:
        problems.add("broken-xlsx", NOT_XLSX)
        raise problems.refusal() from None


def _check(archive: zipfile.ZipFile, limits: Limits, problems: Problems) -> None:
    members = archive.infolist()
    names = {member.filename for member in members}
    if "[Content_Types].xml" not in names:
        problems.add("unsupported-format", OTHER_PACKAGE)
    if any(member.flag_bits & 1 for member in members):
        problems.add("password-protected", ENCRYPTED)
    # the declared sizes bind: zipfile never unpacks more of a member than it declares
    size = sum(member.file_size for member in members)
    squeezed = any(
        member.file_size > _SMALL and member.file_size > _MOST_RATIO * max(member.compress_size, 1)
        for member in members
    )
    if size > limits.unpacked_bytes or squeezed or len(members) > _MOST_PARTS:
        most = f"{limits.unpacked_bytes / MEGABYTE:g}"
        problems.add("unpacks-too-large", BOMB, size=f"{size / MEGABYTE:.1f}", most=most)
    problems.stop_if_any()


def _parts(archive: zipfile.ZipFile, problems: Problems) -> Parts:
    relations = _relations(archive, "_rels/.rels", "")
    workbook = next(
        (path for kind, path in relations.values() if kind == "officeDocument"), "xl/workbook.xml"
    )
    folder, name = posixpath.split(workbook)
    inner = _relations(archive, f"{folder}/_rels/{name}.rels", folder)
    sheets, since_1904 = _workbook(archive, workbook)
    tables = [
        (title, inner[key][1], shown)
        for title, key, shown in sheets
        if key in inner and inner[key][0] == "worksheet"
    ]
    if not tables:
        raise BadWorkbookError("no sheet")
    title, path, _ = next((table for table in tables if table[2]), tables[0])
    if len(tables) > 1:
        problems.note("several-sheets", SHEETS, count=len(tables), name=title)
    by_kind = dict(inner.values())
    return Parts(
        archive=archive,
        sheet=path,
        strings=by_kind.get("sharedStrings"),
        styles=by_kind.get("styles"),
        since_1904=since_1904,
    )


def _relations(archive: zipfile.ZipFile, name: str, folder: str) -> dict[str, tuple[str, str]]:
    """ID → (kind, path) of what the part refers to."""
    found = {}
    with _open(archive, name) as stream:
        for event in events(stream):
            if isinstance(event, Start) and event.name == "Relationship":
                kind = event.attributes.get("Type", "").rpartition("/")[2]
                path = posixpath.normpath(posixpath.join("/", folder, event.attributes.get("Target", "")))
                found[event.attributes.get("Id", "")] = (kind, path.lstrip("/"))
    return found


def _workbook(archive: zipfile.ZipFile, name: str) -> tuple[list[tuple[str, str, bool]], bool]:
    """(title, relation, shown) of each sheet, and whether days are counted from 1904."""
    sheets = []
    since_1904 = False
    with _open(archive, name) as stream:
        for event in events(stream):
            if isinstance(event, Start) and event.name == "sheet":
                said = local_attributes(event)
                shown = said.get("state", "visible") == "visible"
                sheets.append((said.get("name", ""), said.get("id", ""), shown))
            elif isinstance(event, Start) and event.name == "workbookPr":
                since_1904 = event.attributes.get("date1904", "0") in {"1", "true"}
    return sheets, since_1904


def _open(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    try:
        return archive.open(name)
    except (KeyError, RuntimeError) as error:  # no such part; packed in a way that cannot be unpacked
        raise BadWorkbookError(str(error)) from None
