from __future__ import annotations

from once_delivery.accounts.models import Role
from tests.web.access.row import Row, only

ROWS = [
    Row("drill:list", stranger=200),
    # a target that is not there, so that no drill of one refuses the next one's
    Row(
        "drill:start",
        method="post",
        data=lambda _: {"what": "sandbox:nowhere"},
        member=404,
        but=only(Role.VIEWER, Role.MARKETING_LEAD, Role.FINANCE, Role.CLIENT_APPROVER, status=403),
    ),
    Row("drill:report", lambda w: [w.drill.uuid]),
    Row("drill:json", lambda w: [w.drill.uuid]),
    Row("drill:file", lambda w: [w.drill.uuid]),
]
