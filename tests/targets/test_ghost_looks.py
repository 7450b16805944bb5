"""Finding drafts at Ghost again, and listing them, by captured answers."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from once_delivery.targets.base import InventoryError, Kind, LookUpRequest, Verdict
from once_delivery.targets.ghost import filters
from tests.fakes.scripted_server import answered
from tests.targets.ghost_answers import (
    ID,
    MARKER,
    OTHER,
    SUSPENDED,
    UNKNOWN_KEY,
    error,
    listed,
    look,
    post,
    site,
)


def test_found_in_every_status() -> None:
    with site(listed(post(status="published"))) as (connector, server):
        seen = connector.look_up(LookUpRequest(Kind.CREATE_DRAFT, MARKER, "", 2))
        (asked,) = parse_qs(urlsplit(server.requests[0].target).query)["filter"]
    assert (seen.verdict, seen.complete, seen.objects[0].status) == (Verdict.FOUND, True, "published")
    assert asked == f"(canonical_url:~'/{MARKER}',slug:~^'{MARKER}')+status:[draft,published,scheduled,sent]"


def test_found_by_either_sign() -> None:
    renamed = post(slug="schoen")
    assert look(listed(renamed)).objects[0].marker == MARKER
    emptied = post(canonical_url=None, slug=f"{MARKER}-2")
    assert look(listed(emptied)).objects[0].marker == MARKER


def test_found_many() -> None:
    seen = look(listed(post(), post(id="6b0c8d2f2251370ad152d13f", slug=f"{MARKER}-2")))
    assert (seen.verdict, len(seen.objects)) == (Verdict.FOUND_MANY, 2)


def test_absent() -> None:
    seen = look(listed(), listed(), title="Kessel")
    assert (seen.verdict, seen.complete, seen.method) == (Verdict.ABSENT, True, "canonical_url+slug+title")


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("unauthorized", [UNKNOWN_KEY]),
        ("not-found", [SUSPENDED]),
        ("forbidden", [error(403)]),
        ("http-400", [error(400, code="ER_BAD_FIELD_ERROR")]),
        ("marker-mismatch", [listed(post(OTHER))]),
        ("html", [answered("<html>", content_type="text/html")]),
        ("redirect", [answered("", 301, location="https://x")]),
        ("unreadable-page", [answered({"posts": []})]),
        ("unreadable-page", [answered({"posts": [], "meta": {"pagination": {"total": True}}})]),
        ("unreadable-item", [listed(post(id=None))]),
        ("total-mismatch", [listed(post(), total=2), listed(total=1)]),
        ("paging-loop", [listed(post(), total=2), listed(post(), total=2)]),
    ],
)
def test_what_proves_nothing(code: str, answers: list[bytes]) -> None:
    seen = look(*answers)
    assert (seen.code, seen.complete) == (code, False)
    assert (seen.verdict == Verdict.FOUND) == bool(seen.objects)
    assert seen.verdict in {Verdict.CANNOT_TELL, Verdict.FOUND}


def test_a_post_with_our_title_and_no_marker_is_for_a_person() -> None:
    seen = look(listed(), listed(post(None), post(OTHER, id=ID[:-1] + "g")), title="Kessel")
    assert [one.result_id for one in seen.candidates] == [ID]


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        ('it\'s "so"', "title:~^'it\\'s \\\"so\\\"'"),
        ("a\\b", "title:~^'a'"),
        ("\\b", ""),
        ("  x", "title:~^'x'"),
    ],
)
def test_titles_in_a_filter(title: str, asked: str) -> None:
    assert filters.titled(title) == asked


def test_an_inventory_goes_on_behind_the_last_one() -> None:
    one, two = post(), post(None, id="6b0c8d2f2251370ad152d13f")
    with site(listed(one, total=2), listed(two)) as (connector, server):
        since = datetime(2026, 11, 29, 20, 38, 7, 900_000, UTC)
        found = list(
            connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=2, changed_since=since, after="5")
        )
        asked = [parse_qs(urlsplit(call.target).query)["filter"][0] for call in server.requests]
    assert [(each.result_id, each.marker, each.place) for each in found] == [
        (ID, MARKER, ID),
        (two["id"], None, two["id"]),
    ]
    status = "+status:[draft,published,scheduled,sent]"
    assert asked == [
        f"(updated_at:>='2026-11-29 20:38:07')+(id:>'5'){status}",
        f"(updated_at:>='2026-11-29 20:38:07')+(id:>'{ID}'){status}",
    ]


def test_an_inventory_of_a_suspended_account_is_cut() -> None:
    with site(SUSPENDED) as (connector, _), pytest.raises(InventoryError) as caught:
        list(connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=2))
    assert caught.value.code == "not-found"
