"""How much of a file is read before it is refused. Operators raise the numbers by settings."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one batch file may hold; every one of them bounds memory or time."""

    file_bytes: int = 20 * MEGABYTE
    rows: int = 50_000
    columns: int = 200
    cell_characters: int = 1_000_000
    unpacked_bytes: int = 120 * MEGABYTE  # all parts of an XLSX together
    depth: int = 40  # of nested JSON
    image_bytes: int = 10 * MEGABYTE
    images_bytes: int = 100 * MEGABYTE  # all images of a batch together
    problems: int = 200  # listed; more are only counted


def current_limits() -> Limits:
    """The limits of this installation: ``INTAKE_MAX_BYTES`` and ``INTAKE_MAX_ROWS`` of the settings."""
    standard = Limits()
    file_bytes: int = getattr(settings, "INTAKE_MAX_BYTES", standard.file_bytes)
    rows: int = getattr(settings, "INTAKE_MAX_ROWS", standard.rows)
    return Limits(file_bytes=file_bytes, rows=rows, unpacked_bytes=6 * file_bytes)
