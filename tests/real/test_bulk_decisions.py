"""Many cases decided by real workers: a plan that a person begins on its page is carried out once, whoever is woken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client as Browser

from once_delivery.accounts.models import User
from once_delivery.config.celery import app
from once_delivery.ledger.models import Batch
from once_delivery.ledger.states import State
from reconciliation.decisions import Decision
from reconciliation.models import BulkDecision, BulkStatus, Case, CaseEvent
from reconciliation.services.decide_many import begin_bulk, plan_bulk
from reconciliation.services.work_on_case import hand_over
from reconciliation.tasks import open_cases, run_bulk
from tests.builders import a_user, actions_of
from tests.reconciliation.conftest import batch, fake, ops
from tests.web.conftest import signed_in
from tests.workers import PGMQ, sending_to, wait_for, worker

__all__ = ["batch", "fake", "ops"]
pytestmark = [pytest.mark.real, pytest.mark.django_db(transaction=True)]
HOUSE = "once_delivery.config.celery"


@pytest.fixture
def over_pgmq(transactional_db: None) -> Iterator[None]:
    with sending_to(app, PGMQ):
        yield
    with connection.cursor() as cursor:
        cursor.execute("SELECT pgmq.purge_queue('once')")


def planned(ops: User) -> BulkDecision:
    cases = list(Case.objects.order_by("pk").select_related("project", "action"))
    plan, left_out = plan_bulk(project=cases[0].project, cases=cases, decision=Decision.GIVE_UP, user=ops)
    assert (len(plan.items), left_out) == (3, [])
    return plan


def is_done(plan: BulkDecision) -> bool:
    plan.refresh_from_db()
    return plan.status == BulkStatus.DONE


def decided_once_each() -> None:
    events = CaseEvent.objects.filter(kind="decided").values_list("case_id", flat=True)
    assert sorted(events) == sorted(Case.objects.values_list("pk", flat=True))


def test_a_plan_that_is_begun_on_its_page_is_followed_to_its_end(
    over_pgmq: None, batch: Batch, ops: User, tmp_path: Path
) -> None:
    browser: Browser = signed_in(ops)
    plan = planned(ops)
    page = f"/cases/plans/{plan.uuid}/"
    with worker(tmp_path / "worker.log", module=HOUSE, children=2):
        assert browser.post(f"{page}run/")["Location"] == page
        wait_for(lambda: is_done(plan), 30)
    assert {action.state for action in actions_of(batch)} == {State.CANCELLED}
    assert [(one["outcome"], plan.done) for one in plan.items] == [("decided", 3)] * 3
    decided_once_each()
    html = browser.get(page).content.decode()
    assert "hx-get" not in html  # it is over: nothing is fetched again


def test_two_workers_that_are_woken_ten_times_decide_once(
    over_pgmq: None, batch: Batch, ops: User, tmp_path: Path
) -> None:
    plan = planned(ops)
    hand_over(case=Case.objects.order_by("pk")[1], to=a_user("deputy"), user=ops)  # changed since the plan
    begin_bulk(bulk=plan, user=ops)
    with worker(tmp_path / "one.log", module=HOUSE), worker(tmp_path / "two.log", module=HOUSE):
        for _message in range(10):
            run_bulk.delay(plan.pk)
        wait_for(lambda: is_done(plan), 30)
    assert [one["outcome"] for one in plan.items] == ["decided", "case-changed", "decided"]
    assert CaseEvent.objects.filter(kind="decided").count() == 2


def test_a_plan_whose_message_was_lost_is_found_by_the_pull(
    over_pgmq: None, batch: Batch, ops: User, tmp_path: Path
) -> None:
    plan = planned(ops)
    begin_bulk(bulk=plan, user=ops)  # and nobody was woken
    with worker(tmp_path / "worker.log", module=HOUSE):
        open_cases.delay()
        wait_for(lambda: is_done(plan), 30)
    decided_once_each()
