from __future__ import annotations

from collections.abc import Iterator

import pytest

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.ledger.models import Task
from once_delivery.ledger.services import work_target
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.review.services import fetch_draft
from tests.builders import a_batch, a_project, a_target, a_user
from tests.fakes.connected import connect
from tests.fakes.connector import FakeTarget
from tests.review.what_follows import visible_drafts_are_right


@pytest.fixture(autouse=True)
def visible_drafts_stay_right(request: pytest.FixtureRequest) -> Iterator[None]:
    """After each test, whatever it did: the table says exactly what follows from actions, drafts and decisions."""
    used = [name for name in ("task", "tasks") if name in request.fixturenames]
    for name in used:
        request.getfixturevalue(name)  # so that the database is still there afterwards
    yield
    if used:
        visible_drafts_are_right()


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeTarget:
    """Every target of the test is this one, for the ledger and for who reads drafts."""
    return connect(monkeypatch, FakeTarget(), work_target, fetch_draft)


@pytest.fixture
def task(fake: FakeTarget) -> Task:
    """A delivered draft."""
    project = a_project()
    a_target(project, on_new_version="update_existing")
    batch = a_batch(project)
    resume_batch(batch=batch, wait_s=5)
    return Task.objects.get()


@pytest.fixture
def lead(task: Task) -> User:
    user = a_user("lead")
    Membership.objects.create(project=task.project, user=user, role=Role.MARKETING_LEAD)
    return user
