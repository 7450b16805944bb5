from __future__ import annotations

from tests.web.access.row import Row

ROWS = [
    Row("web:help", stranger=200),
    Row("web:help-topic", args=lambda _: ["words"], stranger=200),
]
