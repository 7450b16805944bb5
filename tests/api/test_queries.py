"""How many statements each call makes, its transaction's two among them: exactly so many (query_counts.json).

``QUERY_COUNTS=write pytest tests/api/test_queries.py`` writes the numbers down anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from once_delivery.accounts.models import Project
from tests.api.caller import Caller, a_caller, an_ask, an_identity, an_item
from tests.ledger.given import a_real_target
from tests.query_counts import written_down

COUNTS = Path(__file__).with_name("query_counts.json")


@pytest.fixture
def caller(transactional_db: None, project: Project) -> Caller:
    """One that has called before: its token is known to be in use, and the day's batch is there."""
    a_real_target(project)
    caller = a_caller(project)
    caller.post("/permits", an_ask("warm"))
    return caller


def test_each_call_makes_exactly_its_statements(caller: Caller) -> None:
    counted: dict[str, int] = {}

    def call(name: str, path: str, said: dict[str, Any]) -> dict[str, Any]:
        told, counted[name] = _counted(caller, path, said)
        return told

    asked = call("go, product and version new", "/permits", an_ask())
    done = f"/permits/{asked['permit']}/done"
    call("wait", "/permits", an_ask())
    call("done", done, {"result_id": "1"})
    call("done, said again", done, {"result_id": "1"})
    call("reuse", "/permits", an_ask())
    call("go, another language", "/permits", an_ask(identity=an_identity(locale="fr-FR")))
    call("go, a second version", "/permits", an_ask(identity=an_identity(input_version=2)))
    by_a_run = call("go, first of an execution", "/permits", an_ask("lamp", execution="n8n-1"))
    call("go, next of an execution", "/permits", an_ask("fan", execution="n8n-1"))
    call("unknown", f"/permits/{by_a_run['permit']}/unknown", {})
    call("look up", "/permits", an_ask("lamp"))
    refused = caller.post("/permits", an_ask("jug")).json()
    call("refused", f"/permits/{refused['permit']}/refused", {"http_status": 422})

    assert counted == written_down(counted, COUNTS)


def test_deliveries_make_no_more_statements_for_more_items(caller: Caller) -> None:
    new, again, versions = set(), set(), set()
    for many in (1, 30):
        items = [an_item(f"{many} product-{number}") for number in range(many)]
        new.add(_counted(caller, "/deliveries", {"items": items})[1])
        again.add(_counted(caller, "/deliveries", {"items": items})[1])
        for item in items:
            item["identity"]["input_version"] = 2
        versions.add(_counted(caller, "/deliveries", {"items": items})[1])

    assert len(new) == len(again) == len(versions) == 1


def _counted(caller: Caller, path: str, said: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """What is told, and by how many statements."""
    with CaptureQueriesContext(connection) as caught:
        answer = caller.post(path, said)
    assert answer.status_code < 300, answer.content
    return answer.json(), len(caught)
