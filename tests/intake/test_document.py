from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

import pytest

from once_delivery.targets.base import Kind
from tests.intake.files import PNG, json_bytes, read

DOCUMENT: dict[str, Any] = {
    "batch": "autumn",
    "products": [{"code": "Kettle", "name": "Kessel"}],
    "input_versions": [
        {
            "product": "kettle",
            "number": 1,
            "brief": {"Ton": "ruhig"},
            "approved_by": "marketing",
            "approved_at": "2026-09-18T10:00:00Z",
        }
    ],
    "deliveries": [
        {
            "product": "kettle",
            "locale": "de_de",
            "purpose": "page",
            "input_version": 1,
            "actions": [
                {
                    "target": "cms",
                    "kind": "upload_file",
                    "slot": "hero",
                    "payload": {"file": {"path": "a.png"}, "alt": "x"},
                },
                {
                    "target": "cms",
                    "kind": "create_draft",
                    "slot": "main",
                    "payload": {"title": "T", "n": 1.5, "featured_media": {"$result": "hero"}},
                },
            ],
        }
    ],
}
FILES = {"a.png": PNG}


def changed(*path: str | int, value: Any = None) -> dict[str, Any]:
    """The document with one value replaced; without a value it is taken away."""
    document = copy.deepcopy(DOCUMENT)
    node: Any = document
    for part in path[:-1]:
        node = node[part]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return document


def test_a_document_is_joined_to_deliveries() -> None:
    found = read(json_bytes(DOCUMENT), "a.json", files=FILES)

    assert found.request is not None
    assert found.request.name == "autumn"
    (delivery,) = found.deliveries
    assert (delivery.product, delivery.product_name, delivery.locale) == ("kettle", "Kessel", "de-DE")
    assert (delivery.brief, delivery.approved_by) == ({"Ton": "ruhig"}, "marketing")
    assert delivery.approved_at == datetime(2026, 9, 18, 10, tzinfo=UTC)
    upload, draft = delivery.actions
    (file,) = found.request.files.values()
    assert (upload.kind, draft.kind) == (Kind.UPLOAD_FILE, Kind.CREATE_DRAFT)
    assert upload.payload == {
        "file": {"sha256": file.sha256, "name": "a.png", "media_type": "image/png"},
        "alt": "x",
    }
    assert draft.payload == {"title": "T", "n": 1.5, "featured_media": {"$result": "hero"}}


def test_a_version_that_exists_already_needs_no_brief() -> None:
    found = read(json_bytes(changed("input_versions")), "a.json", files=FILES)

    assert found.deliveries[0].brief is None


D = ("deliveries", 0)
A = (*D, "actions", 0)


@pytest.mark.parametrize(
    ("_case", "document", "pointer", "code"),
    [
        ("unknown key", changed("delivery", value=1), "/delivery", "unknown-key"),
        ("missing key", changed(*D, "locale"), "/deliveries/0", "missing-key"),
        ("wrong type", changed(*D, "locale", value=5), "/deliveries/0/locale", "wrong-type"),
        (
            "version as text",
            changed(*D, "input_version", value="1"),
            "/deliveries/0/input_version",
            "wrong-type",
        ),
        ("version zero", changed(*D, "input_version", value=0), "/deliveries/0/input_version", "bad-number"),
        (
            "half a version",
            changed(*D, "input_version", value=1.5),
            "/deliveries/0/input_version",
            "wrong-type",
        ),
        ("no actions", changed(*D, "actions", value=[]), "/deliveries/0/actions", "empty-value"),
        ("no deliveries", changed("deliveries", value=[]), "/deliveries", "empty-value"),
        (
            "unknown kind",
            changed(*A, "kind", value="delete"),
            "/deliveries/0/actions/0/kind",
            "unknown-value",
        ),
        (
            "upload without a file",
            changed(*A, "payload", "file"),
            "/deliveries/0/actions/0/payload",
            "missing-key",
        ),
        (
            "file that is not there",
            changed(*A, "payload", "file", "path", value="b.png"),
            "/deliveries/0/actions/0/payload/file/path",
            "image-missing",
        ),
        (
            "bytes of somebody else by their hash",
            changed(*A, "payload", "file", value={"sha256": "0" * 64}),
            "/deliveries/0/actions/0/payload/file",
            "missing-key",
        ),
        ("unknown locale", changed(*D, "locale", value="xx"), "/deliveries/0/locale", "unknown-locale"),
        ("bad purpose", changed(*D, "purpose", value="\u200b"), "/deliveries/0/purpose", "bad-identity"),
        (
            "bad time",
            changed("input_versions", 0, "approved_at", value="soon"),
            "/input_versions/0/approved_at",
            "bad-time",
        ),
        (
            "product twice",
            changed("products", value=[{"code": "kettle", "name": "a"}, {"code": "KETTLE", "name": "b"}]),
            "/products/1",
            "described-twice",
        ),
        (
            "version twice",
            changed("input_versions", value=[*DOCUMENT["input_versions"] * 2]),
            "/input_versions/1",
            "described-twice",
        ),
        (
            "version that nobody asks for",
            changed("input_versions", 0, "number", value=2),
            "/input_versions/0",
            "not-used",
        ),
        (
            "empty brief",
            changed("input_versions", 0, "brief", value={}),
            "/input_versions/0/brief",
            "empty-value",
        ),
    ],
)
def test_what_does_not_fit_is_told_with_a_pointer(
    _case: str, document: dict[str, Any], pointer: str, code: str
) -> None:
    found = read(json_bytes(document), "a.json", files=FILES)

    assert (pointer, code) in [(one.pointer, one.code) for one in found.problems]


def test_the_same_delivery_twice_is_a_repeat_and_other_content_a_problem() -> None:
    again = copy.deepcopy(DOCUMENT)
    again["deliveries"] *= 2
    assert read(json_bytes(again), "a.json", files=FILES).noted == ["repeated-rows"]

    again["deliveries"] = [copy.deepcopy(one) for one in again["deliveries"]]
    again["deliveries"][1]["actions"][1]["payload"]["title"] = "Other"
    problem = read(json_bytes(again), "a.json", files=FILES).problems[0]
    assert (problem.pointer, problem.code, problem.params["first"]) == (
        "/deliveries/1",
        "row-twice",
        "/deliveries/0",
    )
