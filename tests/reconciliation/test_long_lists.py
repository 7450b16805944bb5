"""Lists of a hundred thousand objects: in bounded memory, and going on where they were cut short."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import pytest

from once_delivery.ledger.models import Batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.targets.base import FoundObject, InventoryError, Kind
from once_delivery.targets.models import Target
from reconciliation.models import Audit, AuditedObject, AuditStatus
from reconciliation.services import audit_target as service
from reconciliation.services.audit_target import audit_target
from tests.builders import a_batch, a_delivery, a_project, a_target, actions_of
from tests.fakes.connector import FakeConnector, FakeTarget

pytestmark = pytest.mark.django_db(transaction=True)
OURS = 3


class LongList(FakeConnector):
    """Strangers by the thousand around what was delivered; breaks once, after ``breaks_after`` objects."""

    def __init__(self, target: FakeTarget, *, strangers: int, breaks_after: int | None = None) -> None:
        super().__init__(target)
        self.strangers = strangers
        self.breaks_after = breaks_after
        self.can_go_on = True
        self.asked_after: list[str] = []

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        self.asked_after.append(after)
        if after and not self.can_go_on:
            raise InventoryError("cannot-go-on")
        begin = int(after) if after else 0
        breaks = self.breaks_after
        self.breaks_after = None
        for number in range(begin, self.strangers + len(self.target.objects)):
            if number == breaks:
                raise InventoryError("http-500")
            place = str(number + 1)
            if number < len(self.target.objects):
                ours = self.target.objects[number]
                yield FoundObject(ours.result_id, ours.marker, place=place)
            else:
                yield FoundObject(f"s-{number}", None, title="somebody's", place=place)


@pytest.fixture
def delivered(fake: FakeTarget) -> Batch:
    project = a_project()
    a_target(project)
    batch = a_batch(project, *(a_delivery(f"product-{number}") for number in range(OURS)))
    resume_batch(batch=batch, wait_s=5)
    return batch


def audited(
    batch: Batch, connector: LongList, monkeypatch: pytest.MonkeyPatch, *, go_on: bool = False
) -> Audit:
    @contextmanager
    def connected(_: Target) -> Iterator[LongList]:
        yield connector

    monkeypatch.setattr(service, "connected", connected)
    return audit_target(target=Target.objects.get(project=batch.project), go_on=go_on)


def presences(batch: Batch) -> set[str]:
    return {action.presence for action in actions_of(batch)}


def test_it_goes_on_where_it_was_cut_short(
    delivered: Batch, fake: FakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = LongList(fake, strangers=4500, breaks_after=2500)
    cut = audited(delivered, long, monkeypatch)
    assert (cut.status, cut.code, cut.counts["objects"]) == (AuditStatus.CUT, "http-500", 2000)

    whole = audited(delivered, long, monkeypatch, go_on=True)

    assert long.asked_after == ["", "2000"]
    assert (whole.pk, whole.status, whole.code) == (cut.pk, AuditStatus.COMPLETE, "")
    assert (whole.counts["objects"], whole.counts["matched"]) == (4500 + OURS, OURS)
    assert presences(delivered) == {"present"}
    assert AuditedObject.objects.count() == 0


def test_it_begins_anew_where_the_target_cannot_go_on(
    delivered: Batch, fake: FakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = LongList(fake, strangers=3000, breaks_after=1500)
    audited(delivered, long, monkeypatch)
    long.can_go_on = False
    whole = audited(delivered, long, monkeypatch, go_on=True)
    assert long.asked_after == ["", "1000", ""]
    assert (whole.status, whole.counts["objects"]) == (AuditStatus.COMPLETE, 3000 + OURS)


def test_a_new_audit_keeps_nothing_of_the_one_that_was_cut(
    delivered: Batch, fake: FakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = LongList(fake, strangers=3000, breaks_after=1500)
    cut = audited(delivered, long, monkeypatch)
    whole = audited(delivered, long, monkeypatch)
    assert (whole.pk == cut.pk, long.asked_after) == (False, ["", ""])
    assert (whole.counts["objects"], AuditedObject.objects.count()) == (3000 + OURS, 0)


def test_memory_does_not_grow_with_the_list(
    delivered: Batch, fake: FakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    peaks = []
    for strangers in (10_000, 100_000):
        tracemalloc.start()
        audit = audited(delivered, LongList(fake, strangers=strangers), monkeypatch)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert audit.counts["objects"] == strangers + OURS
    small, large = peaks
    assert large < 2 * small, peaks
    assert large < 50_000_000, peaks
