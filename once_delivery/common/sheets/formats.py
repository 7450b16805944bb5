"""What kind of file it is: its first bytes decide, its name only helps."""

from __future__ import annotations

import enum
from pathlib import PurePath

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.limits import MEGABYTE, Limits
from once_delivery.common.sheets.problems import Problems


class Format(enum.StrEnum):
    """A file that can be read."""

    CSV = "CSV"
    XLSX = "XLSX"
    JSON = "JSON"


_SUFFIXES = {
    ".csv": Format.CSV,
    ".tsv": Format.CSV,
    ".txt": Format.CSV,
    ".json": Format.JSON,
    ".xlsx": Format.XLSX,
    ".xlsm": Format.XLSX,
}
_ZIP = b"PK\x03\x04"
_NAMED = {
    b"\xd0\xcf\x11\xe0": gettext_noop(
        "This is an old .xls file or one with a password. Save it as .xlsx without one."
    ),
    b"%PDF": gettext_noop("This is a PDF. Send CSV, XLSX or JSON."),
    b"\x1f\x8b": gettext_noop("This is a compressed file. Unpack it first."),
    b"PK\x05\x06": gettext_noop("This is an empty ZIP. Send CSV, XLSX or JSON."),
    b"\x89PNG": gettext_noop("This is a picture. Send CSV, XLSX or JSON."),
    b"\xff\xd8\xff": gettext_noop("This is a picture. Send CSV, XLSX or JSON."),
    b"Rar!": gettext_noop("This is a compressed file. Unpack it first."),
    b"7z\xbc\xaf": gettext_noop("This is a compressed file. Unpack it first."),
}

EMPTY = gettext_noop("The file is empty.")
TOO_LARGE = gettext_noop("The file has %(size)s MB; %(most)s MB are allowed. Split it.")
OTHER_FORMAT = gettext_noop("The name says %(named)s, the content is %(found)s: it was read as %(found)s.")
UNKNOWN_FORMAT = gettext_noop("“%(name)s” is no kind of file that is read: CSV, XLSX and JSON are.")


def check_size(size: int, limits: Limits, problems: Problems) -> None:
    """Raise ImportRefusedError for an empty or too large file."""
    if size == 0:
        problems.add("file-empty", EMPTY)
    elif size > limits.file_bytes:
        shown = f"{size / MEGABYTE:.1f}"
        problems.add("file-too-large", TOO_LARGE, size=shown, most=f"{limits.file_bytes / MEGABYTE:g}")
    problems.stop_if_any()


def format_of(data: bytes, file_name: str, problems: Problems) -> Format:
    """The format of ``data``; raises ImportRefusedError for one that cannot be read."""
    for magic, said in _NAMED.items():
        if data.startswith(magic):
            problems.add("unsupported-format", said)
            raise problems.refusal()
    suffix = PurePath(file_name.lower()).suffix
    named = _SUFFIXES.get(suffix)
    found = _found(data, named)
    if found is None:
        problems.add("unsupported-format", UNKNOWN_FORMAT, name=file_name[:80])
        raise problems.refusal()
    if named is not None and named is not found:
        problems.note("other-format", OTHER_FORMAT, named=named.value, found=found.value)
    return found


def _found(data: bytes, named: Format | None) -> Format | None:
    if data.startswith(_ZIP):
        return Format.XLSX
    if named is Format.JSON or _begins_like_json(data):
        return Format.JSON
    # a name without a meaning (“upload”) may hold CSV; an .xlsx that is no ZIP is broken
    return None if named is Format.XLSX else Format.CSV


def _begins_like_json(data: bytes) -> bool:
    start = data[:256].replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return start.startswith((b"{", b"["))
