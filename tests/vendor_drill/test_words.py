"""What the states of a vendor's drill and of a month are called where one word stands for several things."""

from __future__ import annotations

from django.utils import translation

from billing.models import PeriodStatus
from once_delivery.vendor_drill.models import VendorDrillStatus
from reconciliation.models import CaseStatus


def test_open_is_said_of_each_thing_as_it_is_meant() -> None:
    with translation.override("zh-hans"):
        said = [str(one.label) for one in (CaseStatus.OPEN, PeriodStatus.OPEN, VendorDrillStatus.OPEN)]
    assert said == ["待处理", "开放", "接收请求中"]
