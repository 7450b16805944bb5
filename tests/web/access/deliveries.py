from __future__ import annotations

from once_delivery.accounts.models import Role
from tests.web.access.row import Row, only

ROWS = [
    Row("web:batches", stranger=200),
    Row("web:batch", lambda w: [w.batch.uuid]),
    Row("web:resume", lambda w: [w.batch.uuid]),
    # 409: the plan that was seen must come along
    Row(
        "web:resume",
        lambda w: [w.batch.uuid],
        "post",
        member=403,
        but=only(Role.OPS_OWNER, Role.ADMIN, status=409),
    ),
    Row("web:task", lambda w: [w.action("confirmed").task.uuid]),
]
