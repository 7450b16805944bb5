"""Pure: which items an answer shows, however a CMS writes what it was given, and which it only seems to show."""

from __future__ import annotations

import json
from typing import Any

import pytest

from once_delivery.vendor_drill.items import Item, items_of
from once_delivery.vendor_drill.models import InventoryRow
from once_delivery.vendor_drill.owners import owners_of
from once_delivery.vendor_drill.showing import shown

LAMP = 'Lamp "Luna" & Co -- 2'
POSTS = "/wp-json/wp/v2/posts"
NAMES = {"B": frozenset({"7"})}


def asked(value: str, text: Any, path: str = POSTS, names: Any = NAMES, creates_at: str = POSTS) -> bool:
    """Whether the answer shows B, whose value this is."""
    items = [Item("A", "Kettle", None), Item("B", value, None)]
    said = text if isinstance(text, str) else json.dumps(text)
    return "B" in shown(items, names, path, said, creates_at)


@pytest.mark.parametrize(
    ("value", "answer", "there"),
    [
        (LAMP, [{"title": {"rendered": "Lamp &#8220;Luna&#8221; &#038; Co &#8212; 2"}}], True),
        (LAMP, "<h2>Lamp “Luna” &amp; Co — 2</h2>", True),
        (LAMP, [{"title": "Lamp Luna"}, {"title": "Co 2"}], False),  # of two texts
        (LAMP, [{"title": "Lamp Lunar & Co"}], False),
        ("Lamp", [{"title": "Lamps"}], False),
        ("Lamp", [{"title": "A lamp-post"}, {"title": "Lamp"}], True),
        ("B", [{"id": "aBc", "title": "Bottle"}], False),
        ("B", [{"title": "B"}], True),
        ("A+", [{"title": "A"}, {"title": "A-"}], False),
        ("茶壶", [{"title": "新茶壶（红）"}], True),
        ("茶壶", '[{"title": "\\u8336\\u58f6"}', True),  # cut, and so no JSON
        (LAMP, json.dumps([{"title": LAMP}])[:-1], True),
    ],
)
def test_a_value_as_a_cms_writes_it(value: str, answer: Any, there: bool) -> None:
    assert asked(value, answer, names={}) is there


@pytest.mark.parametrize(
    ("answer", "path", "there"),
    [
        ([{"id": 7, "slug": "once-x"}], f"{POSTS}?_fields=id,slug", True),
        ({"data": [{"id": 7}]}, POSTS, True),
        ({"posts": {"items": [{"id": 7}]}}, POSTS, False),  # too deep to be what was asked for
        ([{"id": 9, "author": {"id": 7}}], POSTS, False),
        ([{"id": 9, "menu_order": 7}], POSTS, False),
        ([{"id": 7}], "/wp-json/wp/v2/users", False),
        ([], f"{POSTS}/7", True),
        ([], "/index.php?rest_route=/wp/v2/posts/7", True),
        ([], f"{POSTS}?per_page=7", False),
    ],
)
def test_a_short_id_counts_where_it_is_an_objects_own(answer: Any, path: str, there: bool) -> None:
    assert asked("Lamp", answer, path) is there


def test_short_ids_in_a_list_count_only_where_it_is_said_what_is_made() -> None:
    assert not asked("Lamp", [{"id": 7}], "/posts", creates_at="")


def test_a_title_that_the_cms_has_dressed_up_is_still_the_items() -> None:
    items = items_of(2, [LAMP, "A-1"], ["answer_lost"])
    rows = [
        InventoryRow(result_id="1", title="Lamp “Luna” & Co — 2"),
        InventoryRow(result_id="2", title="", words={"name": "lamp “luna” &amp; co – 2"}),
        InventoryRow(result_id="3", title="A 1"),
        InventoryRow(result_id="4", title="Lamp Luna"),
    ]
    assert owners_of(items, [], rows) == {"1": ("A", "title"), "2": ("A", "text"), "3": ("B", "title")}


def test_to_the_letter_goes_before_to_a_reader() -> None:
    items = items_of(2, ["A+", "A-"], ["answer_lost"])
    rows = [InventoryRow(result_id="1", title="A-"), InventoryRow(result_id="2", title="A")]
    assert owners_of(items, [], rows) == {"1": ("B", "title")}  # the other could be either's
