"""The gateway: asked for once, however often it is asked."""

from __future__ import annotations

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Run
from tests.api.caller import Caller, a_caller, an_identity, an_item


def test_the_ids_are_there_at_once_and_the_same_again(caller: Caller) -> None:
    said = {"items": [an_item("kettle"), an_item("lamp")], "execution": "n8n-1"}
    first = caller.post("/deliveries", said)
    assert first.status_code == 202, first.content
    told = first.json()
    assert [one["identity"]["product"] for one in told["deliveries"]] == ["kettle", "lamp"]
    assert [one["state"] for one in told["deliveries"]] == ["planned", "planned"]
    again = caller.post("/deliveries", {**said, "execution": "n8n-2"}).json()
    assert [one["id"] for one in again["deliveries"]] == [one["id"] for one in told["deliveries"]]
    assert (again["actions_new"], again["suppressed"]) == (0, 2)
    assert Action.objects.count() == 2


def test_other_content_is_a_conflict_with_both_fingerprints(caller: Caller) -> None:
    first = caller.post("/deliveries", {"items": [an_item()]}).json()
    answer = caller.post(
        "/deliveries", {"items": [an_item("lamp"), an_item(content={"title": "other", "body": ""})]}
    )
    assert answer.status_code == 409
    assert answer["Content-Type"] == "application/problem+json"
    told = answer.json()
    assert told["code"] == "content-changed"
    (problem,) = told["problems"]
    assert problem["pointer"] == "/items/1"
    assert problem["known"] == first["deliveries"][0]["actions"][0]["fingerprint"]
    assert len(problem["given"]) == 64
    assert problem["given"] != problem["known"]
    assert Action.objects.count() == 1, "all of them or none"


def test_found_by_identity_by_execution_by_state_page_by_page(caller: Caller) -> None:
    items = [an_item(f"p{number}") for number in range(3)]
    ids = [one["id"] for one in caller.post("/deliveries", {"items": items}).json()["deliveries"]]
    caller.post("/deliveries", {"items": items[1:2], "execution": "n8n-7"})
    assert _ids(caller, "product=P1&locale=de_de&purpose=product-page&input_version=1") == [ids[1]]
    assert _ids(caller, "execution=n8n-7") == [ids[1]]
    assert _ids(caller, "execution=n8n-8") == []
    assert _ids(caller, "state=confirmed") == []
    page = caller.get("/deliveries?state=planned&limit=2").json()
    assert [one["id"] for one in page["deliveries"]] == ids[:2]
    assert _ids(caller, f"state=planned&after={page['next']}") == ids[2:]
    assert caller.get(f"/deliveries/{ids[0]}").json()["identity"] == an_identity("p0")
    assert Run.objects.get(external_id="n8n-7").kind == "outside"


def _ids(caller: Caller, query: str) -> list[str]:
    answer = caller.get(f"/deliveries?{query}")
    assert answer.status_code == 200, answer.content
    return [one["id"] for one in answer.json()["deliveries"]]


def test_dependencies_are_references_to_another_slot(caller: Caller) -> None:
    actions = [
        {"target": "cms", "kind": "start_job", "slot": "hero", "content": {"prompt": "a kettle"}},
        {"target": "cms", "slot": "main", "content": {"title": "k", "image": {"$result": "hero"}}},
    ]
    item = {key: value for key, value in an_item().items() if key not in {"target", "content"}}
    (told,) = caller.post("/deliveries", {"items": [{**item, "actions": actions}]}).json()["deliveries"]
    assert [one["slot"] for one in told["actions"]] == ["hero", "main"]
    draft = Action.objects.get(slot="main")
    assert draft.needs.get().needs.slot == "hero"


def test_a_plan_and_a_resume(caller: Caller, project: Project) -> None:
    batch = caller.post("/deliveries", {"items": [an_item()], "batch": "autumn"}).json()["batch"]
    plan = caller.post(f"/batches/{batch['id']}/plan").json()
    assert (plan["counts"]["perform"], plan["steps"][0]["verb"]) == (1, "perform")
    answer = caller.post(f"/batches/{batch['id']}/resume", {"execution": "n8n-9"})
    assert answer.status_code == 202
    assert Run.objects.filter(external_id="n8n-9", batch__name="autumn").exists()
    assert a_caller(project, "viewer").post(f"/batches/{batch['id']}/resume").status_code == 403
