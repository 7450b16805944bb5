"""The templates of ``docs/n8n``, filled in as a person does it after importing them: parameters and credentials."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.house.sources import ROOT

FOLDER = ROOT / "docs" / "n8n"
PARAMETERS = "Parameters"
# what follows the case's own name in the address of each webhook
WEBHOOKS = {"Tasks arrive": "", "ONCE tells": "-tells"}


def template(name: str) -> dict[str, Any]:
    """The file as it is."""
    read: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return read


def filled_in(
    name: str,
    *,
    hook: str,
    parameters: Mapping[str, str],
    credentials: Mapping[str, str],
    node: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A template that can be made live.

    ``credentials``: IDs in n8n by the name that the file asks for. ``node``: *Retry On Fail* and the like, for every
    node that speaks to ONCE; for the one that speaks to the CMS where there is no ONCE.
    """
    where = "ONCE" if "ONCE" in credentials else "CMS"
    workflow = {**template(name), "name": hook}
    left = dict(parameters)
    for one in workflow["nodes"]:
        if one["name"] == PARAMETERS:
            for assignment in one["parameters"]["assignments"]["assignments"]:
                assignment["value"] = left.pop(assignment["name"], assignment["value"])
        if one["name"] in WEBHOOKS:
            one["parameters"]["path"] = one["webhookId"] = hook + WEBHOOKS[one["name"]]
        for kind, asked in one.get("credentials", {}).items():
            one["credentials"][kind] = {"id": credentials[asked["name"]], "name": asked["name"]}
            if asked["name"] == where:
                one.update(node or {})
    assert not left, f"{name}.json has no such parameters: {left}"
    return workflow


# what a person who has WordPress writes into the nodes that speak to the CMS
_POSTS = "/wp-json/wp/v2/posts"
_EVERY_STATUS = "draft,pending,private,publish,future,trash"
ON_WORDPRESS: dict[str, dict[str, dict[str, str]]] = {
    "without-once": {
        "Create the draft": {
            "url": f"={{{{ $('Parameters').first().json.cms }}}}{_POSTS}",
            "jsonBody": "={{ JSON.stringify({ title: $json.content.title, content: $json.content.body, status: 'draft' }) }}",
        },
    },
    "permit": {
        "Create the draft": {
            "url": (
                "={{ Date.now() + $json.deadline_s * 1000 < new Date($json.expires_at)"
                f" ? $('Parameters').first().json.cms + '{_POSTS}' : 'the permit is over' }}}}"
            ),
            "jsonBody": (
                "={{ JSON.stringify({ title: $('One item a task').item.json.content.title,"
                " content: $('One item a task').item.json.content.body, slug: $json.marker, status: 'draft' }) }}"
            ),
        },
        "Look for the draft": {
            "url": (
                f"={{{{ $('Parameters').first().json.cms }}}}{_POSTS}?context=edit&per_page=100"
                f"&status={_EVERY_STATUS}&slug={{{{ $json.marker }}}}"
            ),
        },
    },
}


def rewritten(workflow: dict[str, Any], changes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The workflow with other parameters in the nodes that are named."""
    for one in workflow["nodes"]:
        one["parameters"].update(changes.get(one["name"], {}))
    return workflow
