"""A run's colour is about the software: one that died is not "running" for ever."""

from __future__ import annotations

import pytest

from once_delivery.ledger.models import Run, RunKind, RunStatus
from once_delivery.ledger.services.close_dead_runs import close_dead_runs
from tests.builders import a_project

pytestmark = pytest.mark.django_db


def test_a_silent_run_ends_and_one_that_just_began_does_not() -> None:
    run = Run.objects.create(project=a_project(), kind=RunKind.WORKER, process="gone:1")

    early, later = close_dead_runs(), close_dead_runs(silent_s=-1)

    run.refresh_from_db()
    assert (early, later, run.status) == (0, 1, RunStatus.FAILED)
    assert run.summary == {"ended": "without a word"}
    assert run.finished_at is not None
