"""Through the ledger: a newer input version takes the older one's draft on, at a real system (``on_new_version``)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from once_delivery.accounts.models import Project
from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.drill.passing import Loss
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Kind
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_batch, a_delivery, a_project, the_action
from tests.real.targets.recovery import TIMES, WAIT_S
from tests.real.targets.system import Held, RealSystem

DRAFT = Kind.CREATE_DRAFT


@pytest.mark.django_db(transaction=True)
class Renewing:
    """A test module inherits it and names the system."""

    @pytest.fixture
    def way(self, system: RealSystem) -> Iterator[LosingProxy]:
        with LosingProxy(system.connection().base_url, allow_inside=True) as proxy:
            yield proxy

    @pytest.fixture
    def project(self, system: RealSystem, way: LosingProxy) -> Project:
        """Its target is reached through the proxy, and updates in place."""
        project = a_project()
        to = system.connection(base_url=way.base_url)
        numbers = default_profiles(system.kind)[system.guard].numbers
        save_target(
            project=project,
            name="cms",
            kind=system.kind,
            base_url=to.base_url,
            declaration=to.declaration,
            profile={**numbers, **TIMES, "on_new_version": "update_existing"},
            credentials=to.credentials,
            allow_inside=True,
            is_test=True,
        )
        return project

    def test_the_older_draft_is_updated(self, system: RealSystem, project: Project) -> None:
        first = resumed(version(system, project, 1))
        second = resumed(version(system, project, 2))
        third = resumed(version(system, project, 3))
        assert [one.state for one in (first, second, third)] == [State.CONFIRMED] * 3
        held = the_draft(system, first)
        assert {one.result_id for one in (first, second, third)} == {held.result_id}
        assert (held.title, held.live) == (words(3), False)

    @pytest.mark.parametrize("how", [Loss.CUT, Loss.HALF, Loss.BEFORE], ids=str)
    def test_the_answer_of_an_update_is_lost(
        self, system: RealSystem, project: Project, way: LosingProxy, how: Loss
    ) -> None:
        first = resumed(version(system, project, 1))
        batch = version(system, project, 2)
        way.lose(words(2), how)
        second = resumed(batch)
        held = the_draft(system, first)
        assert (second.state, second.result_id) == (State.CONFIRMED, held.result_id)
        assert held.title == words(2)
        sent = [call for call in way.calls() if call.method != "GET" and call.status in range(200, 300)]
        assert len(sent) == 2  # one create, one update
        assert [call.answered for call in way.calls()].count(False) == 1

    def test_what_an_editor_wrote_stays(self, system: RealSystem, project: Project) -> None:
        first = resumed(version(system, project, 1))
        system.edit(first.result_id, "An editor's own words")
        second = resumed(version(system, project, 2))
        # nothing was sent where the draft had to be read for its version, and so was seen to be another one
        assert second.state in {State.RECONCILE, State.PLANNED}
        assert second.next_step == NextStep.PERSON
        assert the_draft(system, first).title == "An editor's own words"


def words(number: int) -> str:
    return f"Kessel, Fassung {number}"


def version(system: RealSystem, project: Project, number: int) -> Batch:
    draft = ActionRequest("cms", DRAFT, "main", system.payload(DRAFT, words(number)))
    delivery = a_delivery(
        "kettle", input_version=number, brief={"text": f"version {number}"}, actions=(draft,)
    )
    return a_batch(project, delivery, name=f"version {number}")


def resumed(batch: Batch) -> Action:
    resume_batch(batch=batch, wait_s=WAIT_S)
    return the_action(batch)


def the_draft(system: RealSystem, first: Action) -> Held:
    """The only one, by the system's own storage."""
    (held,) = system.held(DRAFT, first.marker)
    return held
