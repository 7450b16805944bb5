from __future__ import annotations

from tests.web.access.row import Row

ROWS = [
    Row("web:cases", stranger=200),
    Row("web:case", lambda w: [w.case.uuid]),
]
