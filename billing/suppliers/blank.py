"""An empty file for a supplier's lines, for people who write one by hand: headings that the import understands."""

from __future__ import annotations

import codecs
import csv
import io

from xlsxwriter import Workbook

from billing.suppliers.fields import FIELDS

_WIDTH = 16  # characters


def blank_csv(*, chinese: bool) -> bytes:
    """The headings alone; with a byte order mark, so that a spreadsheet reads them as UTF-8."""
    text = io.StringIO()
    csv.writer(text).writerow(_headings(chinese=chinese))
    return codecs.BOM_UTF8 + text.getvalue().encode()


def blank_xlsx(*, chinese: bool) -> bytes:
    """The same as a workbook; its IDs, times and amounts are typed as text, so that none loses a digit."""
    data = io.BytesIO()
    with Workbook(data, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.set_column(0, len(FIELDS) - 1, _WIDTH, book.add_format({"num_format": "@"}))
        sheet.freeze_panes(1, 0)
        sheet.write_row(0, 0, _headings(chinese=chinese), book.add_format({"bold": True}))
    return data.getvalue()


def _headings(*, chinese: bool) -> list[str]:
    return [field.chinese if chinese else field.name for field in FIELDS]
