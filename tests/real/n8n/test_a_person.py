"""Where the target cannot be asked, B waits for a person; when one has decided, the workflow goes on."""

from __future__ import annotations

import pytest

from once_delivery.accounts.models import User
from once_delivery.ledger.models import Action
from once_delivery.ledger.services.decide import adopt
from once_delivery.ledger.states import State
from once_delivery.notices.models import Channel, Event
from once_delivery.notices.services.routes import add_route
from once_delivery.targets.profile import Guard
from tests.real.n8n.bench import Bench
from tests.real.n8n.cases import CASES
from tests.real.n8n.places import SandboxPlace
from tests.real.n8n.playing import LivePlay, Stage, tasks_of
from tests.workers import wait_for

pytestmark = pytest.mark.real
SECONDS = 120  # on a busy machine; it takes a few
DELIVERIES = [
    Event.DELIVERY_CONFIRMED,
    Event.DELIVERY_UNCERTAIN,
    Event.DELIVERY_PERSON,
    Event.DELIVERY_REFUSED,
]


def begin(bench: Bench, stage: Stage) -> tuple[LivePlay, str]:
    stage.place.proxy.lose(f"{stage.place.name} B")
    workflow_id = bench.n8n.add_workflow(stage.workflow)
    play = LivePlay(bench.n8n, workflow_id, stage.hook, tasks_of(stage.place))
    play.trigger()
    return play, workflow_id


def decide(bench: Bench, place: SandboxPlace) -> str:
    """Somebody looks into the CMS, and says which draft it is."""
    wait_for(lambda: Action.objects.filter(state=State.RECONCILE).exists(), SECONDS)
    action = Action.objects.get(state=State.RECONCILE)
    (there,) = (one for one in bench.admin.objects(place.name) if one["title"] == f"{place.name} B")
    adopt(action=action, result_id=there["id"], user=User.objects.get(username="ops"))
    return there["id"]


def test_the_webhook_wakes_the_gateway_again(bench: Bench) -> None:
    place = bench.space("told")
    stage = bench.stage("gateway", place, CASES[0], guard=Guard.NONE)
    address = f"{bench.n8n.base_url}/webhook/{stage.hook}-tells"
    admin = User.objects.get(username="admin")
    add_route(
        project=bench.house.project, channel=Channel.WEBHOOK, address=address, events=DELIVERIES, user=admin
    )
    play, workflow_id = begin(bench, stage)

    def arrived(node: str) -> dict[str, int]:
        """How often each draft came to this node, in whatever execution."""
        found: dict[str, int] = {}
        for execution in play.executions():
            for item in execution.items_of(node):
                result = item["actions"][0]["result_id"] or item["actions"][0]["marker"]
                found[result] = found.get(result, 0) + 1
        return found

    wait_for(lambda: bool(arrived("A person decides")), SECONDS)
    result_id = decide(bench, place)
    wait_for(lambda: result_id in arrived("Next step"), SECONDS)
    assert place.held() == {f"told {letter}": 1 for letter in "ABC"}
    assert {one.status for one in bench.n8n.executions(workflow_id)} == {"success"}


def test_the_permit_asks_until_somebody_has_decided(bench: Bench) -> None:
    place = bench.space("asked")
    stage = bench.stage("permit", place, CASES[0], guard=Guard.NONE)
    play, _ = begin(bench, stage)
    result_id = decide(bench, place)
    play.settle(1)
    (execution,) = play.executions()
    assert (execution.status, place.held()) == ("success", {f"asked {letter}": 1 for letter in "ABC"})
    assert result_id in [one["action"]["result_id"] for one in execution.items_of("Next step")]
