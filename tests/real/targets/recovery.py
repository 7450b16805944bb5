"""Through the ledger: the answer of a real system is lost, and the original is found again under its own ID."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.drill.passing import Loss
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from once_delivery.targets.base import Kind
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_batch, a_delivery, a_project, actions_of
from tests.real.targets.system import RealSystem

# as long as a real server on a busy machine may take, and no longer: a test waits for them
TIMES = {"deadline_s": 5.0, "settle_s": 2.0, "look_up_every_s": 0.3, "patience_s": 60.0}
WAIT_S = 60.0


@pytest.mark.django_db(transaction=True)
class Recovery:
    """A test module inherits it and names the system."""

    @pytest.fixture
    def proxy(self, system: RealSystem) -> Iterator[LosingProxy]:
        with LosingProxy(system.connection().base_url, allow_inside=True) as proxy:
            yield proxy

    @pytest.fixture
    def batch(self, system: RealSystem, proxy: LosingProxy) -> Batch:
        """Three drafts, not yet sent, at a target that is reached through the proxy."""
        project = a_project()
        way = system.connection(base_url=proxy.base_url)
        save_target(
            project=project,
            name="cms",
            kind=system.kind,
            base_url=way.base_url,
            declaration=way.declaration,
            profile={**default_profiles(system.kind)[system.guard].numbers, **TIMES},
            credentials=way.credentials,
            allow_inside=True,
            is_test=True,
        )
        return a_batch(
            project,
            *(
                a_delivery(
                    product,
                    actions=(
                        ActionRequest(
                            "cms", Kind.CREATE_DRAFT, "main", system.payload(Kind.CREATE_DRAFT, product)
                        ),
                    ),
                )
                for product in ("kettle", "lamp", "bottle")
            ),
        )

    @pytest.mark.parametrize("how", list(Loss), ids=str)
    def test_one_resume(self, system: RealSystem, proxy: LosingProxy, batch: Batch, how: Loss) -> None:
        lost = actions_of(batch)[1].marker
        proxy.lose(lost, how)
        resume_batch(batch=batch, wait_s=WAIT_S)
        self.everything_is_there_once(system, proxy, batch)
        calls = [call for call in proxy.calls() if call.marker == lost]
        assert calls[0].answered is False
        assert sum(call.created for call in calls) == 1

    def test_two_resumes_at_once(self, system: RealSystem, proxy: LosingProxy, batch: Batch) -> None:
        for action in actions_of(batch):
            proxy.lose(action.marker)

        def resume(_: int) -> None:
            try:
                resume_batch(batch=batch, wait_s=WAIT_S)
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(resume, range(2)))
        self.everything_is_there_once(system, proxy, batch)

    def test_a_resume_of_what_is_confirmed_sends_nothing(
        self, system: RealSystem, proxy: LosingProxy, batch: Batch
    ) -> None:
        """R7"""
        resume_batch(batch=batch, wait_s=WAIT_S)
        before = self.everything_is_there_once(system, proxy, batch)
        calls = proxy.calls()
        resume_batch(batch=batch, wait_s=WAIT_S)
        assert self.everything_is_there_once(system, proxy, batch) == before
        assert proxy.calls() == calls

    def everything_is_there_once(self, system: RealSystem, proxy: LosingProxy, batch: Batch) -> list[str]:
        """The system's own count, the ledger's IDs and the proxy's record say the same; returns the IDs."""
        ids = []
        for action in actions_of(batch):
            (held,) = system.held(Kind.CREATE_DRAFT, action.marker)
            assert (Action.objects.get(pk=action.pk).state, action.result_id) == (
                State.CONFIRMED,
                held.result_id,
            )
            assert sum(call.created for call in proxy.calls() if call.marker == action.marker) == 1
            ids.append(held.result_id)
        return ids
