from __future__ import annotations

from once_delivery.accounts.models import Role
from once_delivery.targets.models import Target
from reconciliation.models import Finding
from tests.web.access.row import Row, only
from tests.web.conftest import World

READERS = only(Role.VIEWER, Role.MARKETING_LEAD, Role.FINANCE, Role.CLIENT_APPROVER, status=403)


def a_target_of(world: World) -> list[object]:
    return [Target.objects.get(project=world.project).uuid]


def an_audit(world: World) -> list[object]:
    return [*a_target_of(world), world.finding.audit.uuid if world.finding.audit else None]


def a_finding(world: World) -> list[object]:
    return [*a_target_of(world), Finding.objects.get(pk=world.finding.pk).uuid]


ROWS = [
    Row("web:targets", stranger=200),
    Row("web:target", a_target_of),
    # who may is asked first to confirm who they are
    Row("web:target-new", data=lambda _: {"kind": "wordpress"}, member=302, stranger=302, but=READERS),
    Row("web:target-new", method="post", member=200, stranger=200, but=READERS),
    Row("web:target-edit", a_target_of, member=302, but=READERS),
    Row("web:target-edit", a_target_of, method="post", member=422, but=READERS),
    Row("web:target-check", a_target_of, method="post", member=302, but=READERS),
    Row("web:target-probe", a_target_of, but=READERS),
    Row("web:target-probe", a_target_of, method="post", member=422, but=READERS),
    Row("web:audits", a_target_of),
    Row(
        "web:audits",
        a_target_of,
        method="post",
        data=lambda _: {"what": "everything"},
        member=302,
        but=READERS,
    ),
    Row("web:audit", an_audit),
    Row("web:findings", an_audit),
    Row("web:finding", a_finding),
    Row("web:finding", a_finding, method="post", data=lambda _: {"text": ""}, member=422, but=READERS),
]
