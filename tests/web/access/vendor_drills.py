from __future__ import annotations

from datetime import timedelta
from uuid import NAMESPACE_URL, uuid5

from django.utils import timezone

from once_delivery.accounts.models import Role
from once_delivery.vendor_drill.models import ItemVerdict, VendorDrill, VendorDrillStatus
from tests.web.access.row import Row, only
from tests.web.conftest import World

OTHERS = (Role.VIEWER, Role.MARKETING_LEAD, Role.FINANCE, Role.CLIENT_APPROVER)
_EVIDENCE = {
    "sent": 1,
    "calls": [],
    "made": [],
    "held": [],
    "gone": [],
    "deleted_by": [],
    "said": [],
    "reads": [],
}
_REST = {"held_before": 0, "held_after": 1, "strays": [], "vanished": []}


def a_vendor_drill(world: World, status: VendorDrillStatus = VendorDrillStatus.FINISHED) -> VendorDrill:
    """One of this status; a judged one has its verdicts."""
    now = timezone.now()
    drill, made = VendorDrill.objects.get_or_create(
        project=world.project,
        status=status,
        defaults={
            "uuid": uuid5(NAMESPACE_URL, status),  # the same in every run
            "target": world.target,
            "vendor": "甲公司工作流",
            "count": 2,
            "faults": ["answer_lost"],
            "recognise": "json",
            "place": "/title",
            "values": ["Kettle", "Lamp"],
            "limit_s": 3600,
            "secret_hash": f"{status:064}"[-64:],
            "asked_at": now,
            "opened_at": now,
            "ends_at": now + timedelta(hours=1),
        },
    )
    if made and drill.is_over:
        for item, passed, why, evidence in (
            ("A", True, "reused", _EVIDENCE),
            ("B", False, "duplicate", _EVIDENCE),
            ("", True, "rest-untouched", _REST),
        ):
            ItemVerdict.objects.create(drill=drill, item=item, passed=passed, why=why, evidence=evidence)
    return drill


def over(world: World) -> list[object]:
    return [a_vendor_drill(world).uuid]


def still_open(world: World) -> list[object]:
    return [a_vendor_drill(world, VendorDrillStatus.OPEN).uuid]


ROWS = [
    Row("vendor_drill:list", stranger=200),
    Row("vendor_drill:new", member=200, stranger=200, but=only(*OTHERS, status=403)),
    Row("vendor_drill:compare", stranger=200),
    Row("vendor_drill:one", over),
    Row("vendor_drill:json", over),
    Row("vendor_drill:file", over),
    Row("vendor_drill:finish", still_open, method="post", member=302, but=only(*OTHERS, status=403)),
    Row(
        "vendor_drill:declare",
        still_open,
        method="post",
        data=lambda _: {"kind": "stopped", "item": "B", "name": "Lin Yue"},
        member=302,
        but=only(*OTHERS, status=403),
    ),
]
