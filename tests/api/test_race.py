"""Many ask at the same moment, over real connections: exactly one is told to go."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Thread, current_thread
from typing import Any

import pytest
from django.db import connection

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Attempt, Batch, Permit, Product, Run
from once_delivery.ledger.services.note_outside_run import note_outside_run
from tests.api.caller import Caller, a_caller, an_ask, an_identity, an_item
from tests.ledger.given import a_real_target

ASKING = 8


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    @pytest.fixture
    def caller(self, transactional_db: None, project: Project) -> Caller:
        a_real_target(project, guard="client_id", look_up=False)
        return a_caller(project)

    def test_one_goes_the_others_wait(self, caller: Caller) -> None:
        """Nobody has asked for it before: the task, the action and the permit are made in the race too."""
        answers = _at_once(lambda: caller.post("/permits", an_ask(execution="n8n-1")).json()["answer"])
        assert Counter(answers) == {"go": 1, "wait": ASKING - 1}
        assert (Action.objects.count(), Attempt.objects.count(), Permit.objects.count()) == (1, 1, 1)
        assert (Product.objects.count(), Batch.objects.count()) == (1, 1)
        assert Run.objects.filter(external_id="n8n-1").count() == 1

    def test_after_an_unknown_one_goes_again(self, caller: Caller) -> None:
        permit = caller.post("/permits", an_ask()).json()
        caller.post(f"/permits/{permit['permit']}/unknown", {})
        answers = _at_once(lambda: caller.post("/permits", an_ask()).json()["answer"])
        assert Counter(answers) == {"go": 1, "wait": ASKING - 1}

    def test_one_report_counts(self, caller: Caller) -> None:
        permit = caller.post("/permits", an_ask()).json()["permit"]
        told = _at_once(lambda: caller.post(f"/permits/{permit}/done", {"result_id": "7"}).json()["repeated"])
        assert Counter(told) == {False: 1, True: ASKING - 1}

    def test_two_versions_for_one_execution_do_not_wait_for_each_other(
        self, caller: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Asking for the newer one supersedes the older; whoever asks for that must not hold the run before it."""
        older = an_ask(execution="n8n-1")
        permit = caller.post("/permits", an_ask()).json()["permit"]
        caller.post(f"/permits/{permit}/not-sent", {})
        newer = an_ask(
            identity=an_identity(input_version=2),
            brief={"text": "2"},
            content={"title": "2"},
            execution="n8n-1",
        )
        told: list[int] = []
        others = Thread(target=lambda: told.append(_status(caller, older)))
        noting = note_outside_run

        def noted_first(**values: Any) -> Run:
            run = noting(**values)
            if current_thread() is others:
                time.sleep(1)  # the newer one is asked for meanwhile
            return run

        monkeypatch.setattr("once_delivery.api.services.ask_permit.note_outside_run", noted_first)
        others.start()
        time.sleep(0.4)
        told.append(_status(caller, newer))
        others.join()
        assert told == [200, 200]
        assert Run.objects.filter(external_id="n8n-1").count() == 1

    def test_the_same_deliveries_at_once_are_made_once(self, caller: Caller) -> None:
        items = [an_item(f"p{number}") for number in range(5)]
        told = _at_once(lambda: caller.post("/deliveries", {"items": items}).json())
        assert sum(one["actions_new"] for one in told) == 5
        assert len({tuple(one["id"] for one in asked["deliveries"]) for asked in told}) == 1


def _status(caller: Caller, said: dict[str, Any]) -> int:
    try:
        return int(caller.post("/permits", said).status_code)
    finally:
        connection.close()


def _at_once(call: Callable[[], Any]) -> list[Any]:
    start = threading.Barrier(ASKING)

    def one() -> Any:
        start.wait()
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(ASKING) as pool:
        return [future.result() for future in [pool.submit(one) for _ in range(ASKING)]]
