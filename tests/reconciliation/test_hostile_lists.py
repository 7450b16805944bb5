"""An audit of a target that lists what no honest one would."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from once_delivery.ledger.models import Action, Batch, Run, RunStatus
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.targets.base import FoundObject, Kind, Presence
from once_delivery.targets.models import Target
from reconciliation.models import Audit, AuditStatus, Finding
from reconciliation.services import audit_target as auditing
from reconciliation.services.audit_target import audit_target
from tests.builders import a_batch, a_project, a_target, the_action
from tests.fakes.connector import FakeConnector, FakeTarget

pytestmark = pytest.mark.django_db(transaction=True)


class _Lists(FakeConnector):
    """Lists what the test says; a callable is called (and may raise)."""

    listed: list[Any]

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        for one in self.listed:
            yield one() if callable(one) else one


@pytest.fixture
def lists(fake: FakeTarget, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    connector = _Lists(fake)
    connector.listed = []

    @contextmanager
    def connected(_: Target) -> Iterator[_Lists]:
        yield connector

    monkeypatch.setattr(auditing, "connected", connected)
    return connector.listed


@pytest.fixture
def delivered(fake: FakeTarget) -> Batch:
    project = a_project()
    a_target(project)
    batch = a_batch(project)
    resume_batch(batch=batch, wait_s=5.0)
    return batch


def test_texts_that_cannot_be_stored(delivered: Batch, fake: FakeTarget, lists: list[Any]) -> None:
    lists += [
        replace(fake.objects[0], place="here\x00\ud800", title="a\x00b"),
        FoundObject("9\x00", "other\x00", version="v" * 5000, place="there\x00"),
    ]
    audit = audit_target(target=Target.objects.get())
    assert audit.status == AuditStatus.COMPLETE
    assert the_action(delivered).presence == Presence.PRESENT


def test_a_connector_that_breaks_in_the_middle(delivered: Batch, fake: FakeTarget, lists: list[Any]) -> None:
    """It tells nothing of what was not listed, and the audit says that it was cut short."""

    def broken() -> FoundObject:
        raise KeyError("id")

    lists += [replace(fake.objects[0], marker="once-" + "b" * 26, result_id="77"), broken]
    audit = audit_target(target=Target.objects.get())
    assert (audit.status, audit.code) == (AuditStatus.CUT, "connector-error")
    assert the_action(delivered).presence == Presence.UNCHECKED
    assert not Run.objects.filter(status=RunStatus.RUNNING).exists()
    assert not Audit.objects.filter(status=AuditStatus.RUNNING).exists()


def test_a_marker_of_another_project(delivered: Batch, fake: FakeTarget, lists: list[Any]) -> None:
    """Another tenant's action is not told from nobody's: neither its presence nor its name is touched (R14)."""
    other = a_project("borealis")
    a_target(other)
    theirs = a_batch(other, name="theirs")
    resume_batch(batch=theirs, wait_s=5.0)
    before = the_action(theirs)
    lists += [fake.objects[0], FoundObject("99", before.marker, title="stray", trashed=True)]
    audit_target(target=Target.objects.get(project=delivered.project))
    after = Action.objects.get(pk=before.pk)
    assert (after.presence, after.revision, after.check_due_at) == (
        before.presence,
        before.revision,
        before.check_due_at,
    )
    (finding,) = Finding.objects.all()
    assert (finding.kind, finding.action_id, finding.project_id) == ("orphan", None, delivered.project_id)
