"""An empty batch file with the headings, for people who begin one."""

from __future__ import annotations

import codecs
import csv
import io

from once_delivery.intake.columns import COLUMNS


def blank_csv(*, chinese: bool) -> bytes:
    """The headings alone; with a byte order mark, so that a spreadsheet reads them as UTF-8."""
    text = io.StringIO()
    csv.writer(text).writerow([column.chinese if chinese else column.name for column in COLUMNS])
    return codecs.BOM_UTF8 + text.getvalue().encode()
