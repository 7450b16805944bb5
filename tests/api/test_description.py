"""The checked-in description is the API's."""

from __future__ import annotations

import json
from pathlib import Path

from once_delivery.api.description import as_text, description

FILE = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"


def test_the_file_says_what_the_api_does() -> None:
    assert FILE.read_text(encoding="utf-8") == as_text(), "write it anew: manage.py openapi"


def test_it_is_openapi_3_1_and_every_call_is_told() -> None:
    found = description()
    assert found["openapi"].startswith("3.1")
    for path, calls in found["paths"].items():
        for method, call in calls.items():
            assert call["description"], (method, path)
            assert call["security"], (method, path)
            assert {"401", "403", "404", "422", "429"} <= call["responses"].keys()
    names = [call["operationId"] for calls in found["paths"].values() for call in calls.values()]
    assert len(names) == len(set(names))
    assert '"number"' not in json.dumps(found["components"]["schemas"]["CostIn"])
