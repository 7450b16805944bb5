from __future__ import annotations

from tests.web.access.row import Row

ROWS = [
    Row("drill:list", stranger=200),
    Row("drill:report", lambda w: [w.drill.uuid]),
    Row("drill:json", lambda w: [w.drill.uuid]),
    Row("drill:file", lambda w: [w.drill.uuid]),
]
