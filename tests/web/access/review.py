from __future__ import annotations

from tests.web.access.row import Row

ROWS: list[Row] = []
