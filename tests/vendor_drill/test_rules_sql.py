"""What PostgreSQL itself refuses: evidence that changes, a drill that goes back, a request after the end (R10)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from once_delivery.targets.models import Target
from once_delivery.vendor_drill.errors import (
    BadAgreementError,
    NotATestTargetError,
    NotOpenError,
    TargetInUseError,
)
from once_delivery.vendor_drill.items import items_of
from once_delivery.vendor_drill.models import (
    Declaration,
    InventoryRow,
    ItemVerdict,
    Moment,
    RecordedAnswer,
    RecordedCall,
    VendorDrill,
    VendorDrillStatus,
)
from once_delivery.vendor_drill.services.ask_drill import ask_drill
from once_delivery.vendor_drill.services.close_drill import close_drill, close_overdue
from once_delivery.vendor_drill.services.declare import declare
from once_delivery.vendor_drill.services.open_door import Terms, terms_of
from once_delivery.vendor_drill.services.record_call import Seen, record_call
from once_delivery.vendor_drill.services.wake_drills import unattended_drills
from tests.builders import a_project, a_target
from tests.vendor_drill.given import agreed

pytestmark = pytest.mark.django_db
KETTLE = Seen("POST", "/drafts", "Kettle", "a" * 64)


@pytest.fixture
def target() -> Target:
    target = a_target(a_project())
    Target.objects.filter(pk=target.pk).update(is_test=True)
    target.refresh_from_db()
    return target


@pytest.fixture
def drill(target: Target) -> VendorDrill:
    return ask_drill(project=target.project, target=target, agreement=agreed(), user=None).drill


def opened(drill: VendorDrill, *, limit_s: float = 60) -> VendorDrill:
    now = timezone.now()
    VendorDrill.objects.filter(pk=drill.pk).update(
        status="open", opened_at=now, ends_at=now + timedelta(seconds=limit_s)
    )
    drill.refresh_from_db()
    return drill


def terms(drill: VendorDrill) -> Terms:
    items = items_of(drill.count, drill.values, drill.faults)
    return Terms(drill.pk, "open", 60, "", True, "json", "/title", "", items, 1, 1, 0, {})


def refused(do: Callable[[], object], rule: str) -> None:
    with pytest.raises(IntegrityError, match=rule), transaction.atomic():
        do()


def test_what_was_agreed_seen_and_judged_is_kept(drill: VendorDrill) -> None:
    opened(drill)
    call = RecordedCall.objects.create(drill=drill, method="GET", path="/")
    answer = RecordedAnswer.objects.create(call=call, status=200)
    said = declare(drill=drill, kind="stopped", item="B", name="Lin", user=None)
    row = InventoryRow.objects.create(drill=drill, moment=Moment.BEFORE, result_id="1")
    verdict = ItemVerdict.objects.create(drill=drill, item="A", passed=True, why="reused")
    for one in (call, answer, said, row, verdict):
        same = type(one).objects.filter(pk=one.pk)
        refused(partial(same._raw_delete, "default"), "append_only")
        refused(partial(same.update, id=one.pk + 1000), "append_only")
    mine = VendorDrill.objects.filter(pk=drill.pk)
    refused(lambda: mine.update(vendor="another"), "append_only")
    refused(lambda: mine.update(ends_at=timezone.now() + timedelta(days=9)), "append_only")
    refused(lambda: mine.update(status="finished"), "vendor_drill_arrow")
    refused(partial(mine._raw_delete, "default"), "append_only")


def test_nothing_is_recorded_before_it_is_open_or_after_its_end(drill: VendorDrill) -> None:
    with pytest.raises(NotOpenError):
        record_call(terms=terms(drill), seen=KETTLE)
    opened(drill)
    assert record_call(terms=terms(drill), seen=KETTLE).item == "A"
    close_drill(drill=drill, user=None)
    for seen in (KETTLE, Seen("GET", "/")):
        with pytest.raises(NotOpenError), transaction.atomic():
            record_call(terms=terms(drill), seen=seen)
    with pytest.raises(NotOpenError):
        declare(drill=drill, kind="stopped", item="B", name="Lin", user=None)
    assert RecordedCall.objects.count() == 1
    assert not Declaration.objects.exists()


def test_a_time_limit_that_is_over_ends_it_and_nobody_need_be_told(drill: VendorDrill) -> None:
    opened(drill, limit_s=-1)
    with pytest.raises(NotOpenError):
        record_call(terms=terms(drill), seen=KETTLE)
    assert (close_overdue(), close_overdue()) == ([drill.pk], [])
    assert unattended_drills() == []  # told a moment ago
    VendorDrill.objects.filter(pk=drill.pk).update(woken_at=timezone.now() - timedelta(minutes=1))
    assert unattended_drills() == [drill.pk]


def test_a_fault_strikes_once_even_if_two_proxies_ran(drill: VendorDrill) -> None:
    opened(drill)
    lamp = Seen("POST", "/drafts", "lamp", "b" * 64)
    assert [record_call(terms=terms(drill), seen=lamp).fault for _ in range(2)] == ["answer_lost", ""]
    refused(
        lambda: RecordedCall.objects.create(drill=drill, method="POST", path="/", fault="answer_lost"),
        "vendor_drill_fault_once",
    )


def test_a_change_of_what_was_made_is_no_second_creation(drill: VendorDrill) -> None:
    opened(drill)
    made = record_call(terms=terms(drill), seen=KETTLE)
    RecordedAnswer.objects.create(call_id=made.call_id, status=201, names=["obj-1"])
    change = record_call(terms=terms(drill), seen=Seen("POST", "/drafts/obj-1", "Kettle", ""))
    assert (change.item, change.creates) == ("A", False)


def test_one_at_a_time_at_a_target_and_only_at_test_targets(drill: VendorDrill, target: Target) -> None:
    def ask(**changes: Any) -> None:
        ask_drill(project=target.project, target=target, agreement=agreed(**changes), user=None)

    with pytest.raises(TargetInUseError):
        ask()
    VendorDrill.objects.filter(pk=drill.pk).update(status=VendorDrillStatus.BROKEN)
    ask()
    with pytest.raises(BadAgreementError):
        ask(creates_at="drafts")
    Target.objects.filter(pk=target.pk).update(is_test=False)
    with pytest.raises(NotATestTargetError):
        ask()
    other = a_project("other")
    Target.objects.filter(pk=target.pk).update(is_test=True)
    with pytest.raises(NotATestTargetError):
        ask_drill(project=other, target=Target.objects.get(pk=target.pk), agreement=agreed(), user=None)


def test_a_secret_opens_its_own_drill_alone(target: Target) -> None:
    asked = ask_drill(project=target.project, target=target, agreement=agreed(), user=None)
    assert asked.secret not in str(VendorDrill.objects.values().get())
    found = terms_of(secret=asked.secret)
    assert found is not None
    assert (found.drill_id, found.status, found.left_s) == (asked.drill.pk, "asked", 0.0)
    assert terms_of(secret=asked.secret[:-1]) is None
    assert terms_of(secret=asked.drill.secret_hash) is None
