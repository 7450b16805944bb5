"""The workflow as it is usually built: a webhook, the items, one HTTP Request node that makes the drafts."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

MAKE_DRAFTS = "Create the draft"


def plain_workflow(
    *, hook: str, create_url: str, credential: str, node: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The workflow; ``node``: settings of the node that makes the drafts, *Retry On Fail* and the like."""
    webhook = _node(
        "Tasks arrive", "n8n-nodes-base.webhook", 2, 0, {"httpMethod": "POST", "path": hook, "options": {}}
    )
    split = _node(
        "One item a task", "n8n-nodes-base.splitOut", 1, 1, {"fieldToSplitOut": "body.tasks", "options": {}}
    )
    body = "={{ JSON.stringify({ title: $json.title, content: $json.body, status: 'draft' }) }}"
    create = _node(
        MAKE_DRAFTS,
        "n8n-nodes-base.httpRequest",
        4.2,
        2,
        {
            "method": "POST",
            "url": create_url,
            "authentication": "genericCredentialType",
            "genericAuthType": "httpHeaderAuth",
            "sendBody": True,
            "specifyBody": "json",
            "jsonBody": body,
            "options": {},
        },
    )
    create |= {"credentials": {"httpHeaderAuth": {"id": credential, "name": "CMS"}}, **(node or {})}
    nodes = [{**webhook, "webhookId": hook}, split, create]
    return {
        "name": hook,
        "nodes": nodes,
        "connections": {
            one["name"]: {"main": [[{"node": other["name"], "type": "main", "index": 0}]]}
            for one, other in itertools.pairwise(nodes)
        },
        "settings": {"executionOrder": "v1"},
    }


def _node(name: str, of_type: str, version: float, place: int, parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"node-{place}",
        "name": name,
        "type": of_type,
        "typeVersion": version,
        "position": [place * 260, 0],
        "parameters": parameters,
    }
