from __future__ import annotations

import itertools
import socket
from typing import Any

import pytest

from once_delivery.targets.base import InventoryError, Kind, Verdict
from tests.fakes.scripted_server import Received, answered, hangs_up
from tests.targets.rest_api import MARKER, api, declared, thing, wanted

BY_PAGE = {
    "style": "page",
    "param": "page",
    "size_param": "per_page",
    "size": 2,
    "pages": "/pages",
    "total": "/total",
}


def page(*ids: str, headers: dict[str, str] | None = None, **more: Any) -> bytes:
    return answered({"items": [thing(id=name) for name in ids], **more}, 200, headers=headers)


def ids(paging: dict[str, Any], *answers: Any) -> tuple[list[str], list[str]]:
    """The IDs of the inventory, and what was asked for."""
    with api(*answers, declaration=declared(list={"paging": paging})) as (connector, server):
        found = [one.result_id for one in connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=2)]
    return found, [received.target.partition("status=any")[2] for received in server.requests]


def test_numbered_pages() -> None:
    found, asked = ids(BY_PAGE, page("a", "b", pages=2, total=3), page("c", pages=2, total=3))
    assert found == ["a", "b", "c"]
    assert asked == ["&per_page=2&page=1", "&per_page=2&page=2"]


def test_an_empty_page_that_names_a_next_one_is_not_the_end() -> None:
    found, asked = ids(BY_PAGE, page(pages=2, total=1), page("a", pages=2, total=1))
    assert (found, len(asked)) == (["a"], 2)


def test_pages_counted_in_a_header() -> None:
    paging = {"style": "page", "param": "page", "pages_header": "X-WP-TotalPages"}
    found, _ = ids(
        paging, page("a", headers={"x_wp_totalpages": "2"}), page("b", headers={"X_WP_TotalPages": "2"})
    )
    assert found == ["a", "b"]


def test_pages_that_nobody_counts_end_with_an_empty_one_and_not_with_a_short_one() -> None:
    found, asked = ids({"style": "page", "param": "p", "first": 0}, page("a", "b"), page("c"), page())
    assert found == ["a", "b", "c"]
    assert asked == ["&p=0", "&p=1", "&p=2"]


def test_offsets_follow_what_came_and_not_what_was_asked_for() -> None:
    paging = {"style": "offset", "param": "from", "size_param": "n", "size": 100, "total": "/total"}
    found, asked = ids(paging, page("a", "b", total=3), page("c", total=3))
    assert found == ["a", "b", "c"]
    assert asked == ["&n=100&from=0", "&n=100&from=2"]


def test_cursors() -> None:
    paging = {"style": "cursor", "param": "after", "next": "/meta/next"}
    found, asked = ids(
        paging, page("a", meta={"next": "x y"}), page(meta={"next": 7}), page("b", meta={"next": None})
    )
    assert found == ["a", "b"]
    assert asked == ["", "&after=x%20y", "&after=7"]


def test_next_addresses() -> None:
    found, asked = ids(
        {"style": "next_url", "next": "/next"}, page("a", next="/api/drafts?status=any&c=2"), page("b")
    )
    assert found == ["a", "b"]
    assert asked == ["", "&c=2"]


@pytest.mark.parametrize(
    "link",
    [
        '</api/drafts?status=any&c=2>; rel="next"',
        '</x>; rel="prev", </api/drafts?status=any&c=2>; title="a"; rel=next',
        '</api/drafts?status=any&c=2>; rel="last next"',
    ],
)
def test_link_headers(link: str) -> None:
    found, asked = ids(
        {"style": "link"}, page("a", headers={"link": link}), page("b", headers={"link": '</x>; rel="prev"'})
    )
    assert found == ["a", "b"]
    assert asked == ["", "&c=2"]


def test_an_item_that_stands_on_two_pages_counts_once() -> None:
    found, _ = ids({"style": "page", "param": "p"}, page("a", "b"), page("b", "c"), page())
    assert found == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("_case", "paging", "answers", "code"),
    [
        ("fewer than the total", BY_PAGE, [page("a", pages=1, total=2)], "total-mismatch"),
        (
            "total shrinks",
            BY_PAGE,
            [page("a", "b", pages=2, total=4), page("c", pages=2, total=3)],
            "total-mismatch",
        ),
        ("no page count", BY_PAGE, [page("a", total=2)], "unreadable-page"),
        ("page count is no number", BY_PAGE, [page("a", pages="many", total=2)], "unreadable-page"),
        (
            "offset runs dry",
            {"style": "offset", "param": "o", "total": "/total"},
            [page("a", total=2), page(total=2)],
            "total-mismatch",
        ),
        (
            "cursor in a circle",
            {"style": "cursor", "param": "c", "next": "/n"},
            [page("a", n="x")],
            "paging-loop",
        ),
        ("the same page for ever", {"style": "page", "param": "p"}, [page("a")], "paging-loop"),
        (
            "cursor is an object",
            {"style": "cursor", "param": "c", "next": "/n"},
            [page("a", n={"x": 1})],
            "unreadable-page",
        ),
        (
            "another server",
            {"style": "next_url", "next": "/n"},
            [page("a", n="https://evil.example/drafts")],
            "foreign-next-page",
        ),
        (
            "another port",
            {"style": "next_url", "next": "/n"},
            [page("a", n="http://127.0.0.1:1/drafts")],
            "foreign-next-page",
        ),
        (
            "no address",
            {"style": "next_url", "next": "/n"},
            [page("a", n="file:///etc/passwd")],
            "foreign-next-page",
        ),
        (
            "too many",
            {"style": "page", "param": "p", "max_pages": 2},
            [page("a"), page("b"), page("c")],
            "page-limit",
        ),
        ("second page fails", BY_PAGE, [page("a", "b", pages=2, total=3), answered({}, 500)], "http-500"),
        (
            "second page is cut",
            BY_PAGE,
            [page("a", pages=2, total=2), hangs_up(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")],
            "truncated",
        ),
        ("one page of many", {"style": "none", "total": "/total"}, [page("a", total=9)], "total-mismatch"),
    ],
)
def test_an_inventory_that_is_cut_says_so_after_what_it_had(
    _case: str, paging: dict[str, Any], answers: list[Any], code: str
) -> None:
    seen: list[str] = []
    with (
        api(*answers, declaration=declared(list={"paging": paging})) as (connector, _),
        pytest.raises(InventoryError) as caught,
    ):
        seen.extend(one.result_id for one in connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=2))
    assert caught.value.code == code


def test_what_the_pages_had_before_the_cut_is_given() -> None:
    answers = (page("a", pages=2, total=2), answered({}, 500))
    with api(*answers, declaration=declared(list={"paging": BY_PAGE})) as (connector, _):
        inventory = connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=2)
        assert next(inventory).result_id == "a"
        with pytest.raises(InventoryError):
            next(inventory)


def test_a_look_up_whose_pages_are_cut_cannot_tell() -> None:
    with api(
        page(pages=2, total=1), answered({}, 502), declaration=declared(look_up={"paging": BY_PAGE})
    ) as (connector, _):
        look = connector.look_up(wanted())
    assert (look.verdict, look.code, look.http_status) == (Verdict.CANNOT_TELL, "http-502", 502)


def test_a_query_that_the_target_ignores_still_finds_ours() -> None:
    answers = (page("a", "b", pages=2, total=3), page("c", pages=2, total=3))
    others = [one.replace(MARKER.encode(), b"once-bbbbbbbbbbbbbbbbbbbbbbbbbb") for one in answers[:1]]
    with api(*others, answers[1], declaration=declared(look_up={"paging": BY_PAGE})) as (connector, _):
        look = connector.look_up(wanted())
    assert (look.verdict, look.complete, [one.result_id for one in look.objects]) == (
        Verdict.FOUND,
        True,
        ["c"],
    )


def test_the_key_in_the_query_goes_to_every_page() -> None:
    auth = {"scheme": "query", "name": "key", "credential": "token"}
    declaration = declared({"auth": auth}, list={"paging": {"style": "next_url", "next": "/n"}})
    with api(
        page("a", n="/api/drafts?p=2"),
        page("b", n="/api/drafts?p=3&key=their-own"),
        page("c"),
        declaration=declaration,
    ) as (
        connector,
        server,
    ):
        list(connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=2))
    assert [received.target.count("key=") for received in server.requests] == [1, 1, 1]


def test_no_list_declared() -> None:
    with (
        api(page(), declaration=declared(list=None)) as (connector, _),
        pytest.raises(InventoryError) as caught,
    ):
        list(connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=2))
    assert caught.value.code == "no-list"


def test_the_whole_inventory_ends_with_its_deadline() -> None:
    numbers = itertools.count()

    def endless(connection: socket.socket, _: Received) -> None:
        connection.sendall(page(f"a{next(numbers)}"))

    with (
        api(endless, declaration=declared(list={"paging": {"style": "page", "param": "p"}})) as (
            connector,
            _,
        ),
        pytest.raises(InventoryError) as caught,
    ):
        list(connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=0.2))
    assert caught.value.code in {"deadline", "deadline-over", "page-limit"}
