from __future__ import annotations

from once_delivery.accounts.models import Role
from once_delivery.intake.services.uploads import IMPORTERS
from once_delivery.web.services.saved_views import save_view
from tests.web.access.row import Row, only
from tests.web.conftest import World
from tests.web.uploads import an_upload


def uploaded(world: World) -> list[object]:
    return [an_upload(world).uuid]


def a_view(world: World) -> list[object]:
    return [save_view(user=world.alice, page="batches", name="Mine", query="state=refused").pk]


ROWS = [
    Row("web:batches", stranger=200),
    Row("web:batches-export", stranger=200),
    # everybody keeps views of their own; alice's are nobody else's
    Row("web:view-save", lambda _: ["batches"], "post", member=302, stranger=302),
    Row("web:view-change", a_view, "post", member=404, but=only(Role.OPS_OWNER, status=302)),
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
    # a stranger has projects of their own, for which they may import
    Row("web:import", member=403, stranger=200, but=only(*IMPORTERS, status=200)),
    Row("web:import", method="post", member=403, stranger=422, but=only(*IMPORTERS, status=422)),
    Row("web:import-sample", lambda _: ["once-batch.csv"], stranger=200),
    Row("web:import-file", uploaded, member=403, but=only(*IMPORTERS, status=200)),
    Row("web:import-file", uploaded, "post", member=403, but=only(*IMPORTERS, status=302)),
    # 409: the hash that was seen must come along
    Row("web:import-apply", uploaded, "post", member=403, but=only(*IMPORTERS, status=409)),
    Row("web:import-original", uploaded, member=403, but=only(*IMPORTERS, status=200)),
    Row("web:import-problems", uploaded, member=403, but=only(*IMPORTERS, status=200)),
    Row("web:search", stranger=200),
    Row("web:task", lambda w: [w.action("confirmed").task.uuid]),
]
