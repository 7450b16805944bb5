"""What a list shows as a CSV file that spreadsheets open, sent while it is read."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.translation import get_language, override

from once_delivery.ui.csv_lines import csv_line
from once_delivery.ui.downloads import saved_as


def csv_file(name: str, lines: Iterable[Sequence[str | int]]) -> HttpResponse:
    """``lines`` begin with the headings, in the language of the reader: also those that are read after the view."""
    answer = StreamingHttpResponse(_bytes(lines, get_language()), content_type="text/csv; charset=utf-8")
    # Django types a streamed answer apart from others; the doors treat both alike
    return cast(HttpResponse, saved_as(answer, name))


def _bytes(lines: Iterable[Sequence[str | int]], language: str | None) -> Iterator[bytes]:
    """A byte order mark first, so that a spreadsheet reads UTF-8."""
    yield codecs.BOM_UTF8
    further = iter(lines)
    while True:
        with override(language):
            line = next(further, None)
        if line is None:
            return
        yield csv_line(line)
