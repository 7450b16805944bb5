"""Every call of the API × every role × another tenant. A new call without a row fails."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

from once_delivery.accounts.models import Project, Role
from once_delivery.api.description import description
from once_delivery.ledger.models import Batch
from tests.api.caller import BASE, Caller, a_caller, an_ask, an_item
from tests.builders import a_project
from tests.ledger.given import a_real_target

ALL = frozenset(Role)
ASKERS = frozenset({Role.OPS_OWNER, Role.MARKETING_LEAD, Role.ADMIN})
PERFORMERS = frozenset({Role.OPS_OWNER, Role.ADMIN})
COSTERS = frozenset({Role.OPS_OWNER, Role.FINANCE, Role.ADMIN})
SEEN = {"objects": [{"result_id": "1"}], "method": "x"}


@dataclass(frozen=True)
class Row:
    """One call. ``path`` is that of the description; ``of_object``: it names something of a project."""

    method: str
    path: str
    roles: frozenset[Role]
    said: dict[str, Any] = field(default_factory=dict)
    of_object: bool = True


ROWS = (
    Row("post", "/deliveries", ASKERS, {"items": [an_item()]}, of_object=False),
    Row("get", "/deliveries", ALL, of_object=False),
    Row("get", "/deliveries/{delivery_id}", ALL),
    Row("post", "/batches/{batch_id}/plan", ALL),
    Row("post", "/batches/{batch_id}/resume", PERFORMERS),
    Row("post", "/permits", PERFORMERS, an_ask("lamp"), of_object=False),
    Row("post", "/actions/{action_id}/permits", PERFORMERS),
    Row("post", "/permits/{permit}/done", PERFORMERS, {"result_id": "1"}),
    Row("post", "/permits/{permit}/refused", PERFORMERS),
    Row("post", "/permits/{permit}/unknown", PERFORMERS),
    Row("post", "/permits/{permit}/found", PERFORMERS, SEEN),
    Row("post", "/permits/{permit}/absent", PERFORMERS, {"complete": True, "method": "x"}),
    Row("post", "/permits/{permit}/heartbeat", PERFORMERS),
    Row("post", "/attempts/{attempt}/costs", COSTERS, {"provider": "ark"}),
)


@pytest.fixture
def places(caller: Caller) -> dict[str, Any]:
    """What the first tenant has."""
    permit = caller.post("/permits", an_ask("cup")).json()
    (delivery,) = caller.get("/deliveries").json()["deliveries"]
    return {
        "delivery_id": delivery["id"],
        "batch_id": Batch.objects.get().uuid,
        "action_id": permit["action"]["id"],
        "permit": permit["permit"],
        "attempt": permit["attempt"],
    }


def test_every_call_has_its_row() -> None:
    calls = {
        (method, path.removeprefix(BASE))
        for path, calls in description()["paths"].items()
        for method in calls
    }
    assert calls == {(row.method, row.path) for row in ROWS}
    assert len(ROWS) == len(calls)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path}")
def test_who_may(row: Row, places: dict[str, Any], project: Project) -> None:
    path = row.path.format(**places)
    assert Client().generic(row.method.upper(), BASE + path).status_code == 401
    for role in Role:
        caller = a_caller(project, role)
        status = caller.call(row.method.upper(), path, row.said if row.method == "post" else None).status_code
        assert (status != 403) == (role in row.roles), (role, status)
        assert status not in {401, 404, 405, 500}, (role, status)
    other = a_project("borealis")
    a_real_target(other)
    stranger = a_caller(other, Role.ADMIN)
    answer = stranger.call(row.method.upper(), path, row.said if row.method == "post" else None)
    assert (answer.status_code == 404) == row.of_object
    if row.method == "get" and not row.of_object:
        assert answer.json()["deliveries"] == []


def test_a_finished_page_of_another_tenant_goes_nowhere(places: dict[str, Any]) -> None:
    other = a_project("borealis")
    a_real_target(other)
    stranger = a_caller(other)
    stranger.post("/deliveries", {"items": [an_item()]})
    assert stranger.get(f"/deliveries?after={places['delivery_id']}").json()["deliveries"] == []
    assert stranger.get(f"/deliveries?batch={places['batch_id']}").json()["deliveries"] == []
