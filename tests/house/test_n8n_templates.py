"""The workflows of ``docs/n8n`` can be imported by anybody: no secret, no credential of ours, no name that leads nowhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.house.sources import ROOT

FOLDER = ROOT / "docs" / "n8n"
FILES = sorted(path for path in FOLDER.glob("*.json") if path.name != "tasks.json")
PARTS = {"name", "nodes", "connections", "settings"}
SECRET = re.compile(r"once_[A-Za-z0-9_-]{20}|Bearer [A-Za-z0-9]|Basic [A-Za-z0-9]")
NODE = re.compile(r"\$\('([^']+)'\)")


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_template_stands_by_itself(path: Path) -> None:
    workflow = read(path)
    assert set(workflow) == PARTS  # what n8n's API and its editor both take
    assert not SECRET.search(path.read_text(encoding="utf-8"))
    names = [node["name"] for node in workflow["nodes"]]
    assert len(set(names)) == len(names)
    named = set(NODE.findall(json.dumps(workflow, ensure_ascii=False)))
    led_to = {
        end["node"]
        for outputs in workflow["connections"].values()
        for ends in outputs["main"]
        for end in ends
    }
    assert named | led_to | set(workflow["connections"]) <= set(names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_credentials_are_found_by_their_names(path: Path) -> None:
    for node in read(path)["nodes"]:
        if node["type"].endswith(".httpRequest"):
            asked = node["credentials"]["httpHeaderAuth"]
            assert asked["id"] is None
            assert asked["name"] == ("CMS" if node["name"].endswith("the draft") else "ONCE")


def test_nothing_that_creates_is_sent_again_by_n8n_itself() -> None:
    (node,) = (one for one in read(FOLDER / "permit.json")["nodes"] if one["name"] == "Create the draft")
    assert (node.get("retryOnFail", False), node["onError"]) == (False, "continueRegularOutput")


def test_the_pages_name_every_file() -> None:
    for page in ("README.md", "README.zh-CN.md"):
        text = (FOLDER / page).read_text(encoding="utf-8")
        for path in [*FOLDER.glob("*.json"), *FOLDER.glob("*.png")]:
            assert path.name in text, (page, path.name)
