from __future__ import annotations

from typing import Any

import pytest

from once_delivery.targets.http_json.template import TemplateError, fill_tree, parse, parse_path, parse_tree

NAMES = frozenset({"marker", "client_id", "payload", "file"})
VALUES = {
    "marker": "once-abc",
    "payload": {
        "title": "Straße & Co",
        "count": 3,
        "price": 1.5,
        "live": True,
        "tags": ["a", {"b": None}],
        "nothing": None,
        "deep": {"er": "x"},
        "up": "..",
        "slash": "a/b?c#d",
        "empty": "",
        "tricky": "{{marker}} {{payload.title}}",
    },
}


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{{payload.count}}", 3),
        ("{{ payload.price }}", 1.5),
        ("{{payload.live}}", True),
        ("{{payload.tags}}", ["a", {"b": None}]),
        ("{{payload.nothing}}", None),
        ("{{payload.deep.er}}", "x"),
        ("No. {{payload.count}} {{payload.live}} {{marker}}", "No. 3 true once-abc"),
        ("plain", "plain"),
        ("", ""),
        ("{{payload.tricky}}", "{{marker}} {{payload.title}}"),
        ({"a": ["{{payload.count}}", 5, None, True]}, {"a": [3, 5, None, True]}),
        ({"a": "{{payload.absent?}}", "b": "{{payload.nothing?}}", "c": 1}, {"c": 1}),
        (["{{payload.absent?}}", "x{{payload.absent?}}", 1], [1]),
        ("{{payload.absent?}}", None),
        ({"*": "{{payload.deep}}", "er": "mine", "more": 1}, {"er": "mine", "more": 1}),
        ({"*": "{{payload.absent?}}", "more": 1}, {"more": 1}),
        ({"more": 1, "*": "{{payload.deep}}"}, {"er": "x", "more": 1}),
    ],
)
def test_json(template: Any, filled: Any) -> None:
    assert fill_tree(parse_tree(template, NAMES), VALUES) == filled


@pytest.mark.parametrize(
    "template",
    [
        "{{payload.absent}}",
        "{{payload.title.deeper}}",
        "{{client_id}}",
        "x {{payload.tags}}",
        "x {{payload.nothing}}",
        {"*": "{{payload.title}}"},
        {"*": "{{payload.absent}}"},
    ],
)
def test_what_is_missing_is_an_error(template: Any) -> None:
    with pytest.raises(TemplateError) as caught:
        fill_tree(parse_tree(template, NAMES), VALUES)
    assert caught.value.code == "template-missing"


@pytest.mark.parametrize(
    ("template", "code"),
    [
        ("{{secret}}", "template-name"),
        ("{{marker.x}}", "template-name"),
        ("{{result_id}}", "template-name"),
        ("{{payload.title", "template-syntax"),
        ("{{payload.__class__.x()}}", "template-syntax"),
        ("{{ 1 + 1 }}", "template-syntax"),
        ("{{payload['title']}}", "template-syntax"),
        ("}}", "template-syntax"),
        ("{{{marker}}}", None),
    ],
)
def test_what_is_no_template(template: str, code: str | None) -> None:
    if code is None:
        assert fill_tree(parse(template, NAMES), VALUES) == "{once-abc}"
        return
    with pytest.raises(TemplateError) as caught:
        parse(template, NAMES)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("template", "path"),
    [
        ("/drafts/{{marker}}", "/drafts/once-abc"),
        ("/drafts/{{payload.title}}", "/drafts/Stra%C3%9Fe%20%26%20Co"),
        ("/drafts/{{payload.slash}}/x", "/drafts/a%2Fb%3Fc%23d/x"),
        ("/d;v=1/{{payload.count}}", "/d;v=1/3"),
        ("/entwürfe", "/entw%C3%BCrfe"),
        ("/a%20b", "/a%20b"),
    ],
)
def test_paths_are_escaped(template: str, path: str) -> None:
    assert parse_path(template, NAMES).path(VALUES) == path


@pytest.mark.parametrize(
    "template", ["/drafts/{{payload.up}}", "/drafts/{{payload.empty}}", "/d/{{payload.nothing?}}", "/a/../b"]
)
def test_no_value_climbs_out_of_its_place(template: str) -> None:
    with pytest.raises(TemplateError):
        parse_path(template, NAMES).path(VALUES)


def test_a_parameter_may_be_left_out() -> None:
    assert parse("{{payload.absent?}}", NAMES).text(VALUES) is None
    assert parse("{{payload.live}}", NAMES).text(VALUES) == "true"
