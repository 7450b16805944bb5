"""What an operator gives for a ready profile, and what it says of itself."""

from __future__ import annotations

import json

import pytest
from django.utils import translation

from once_delivery.common.errors import InvalidInputError
from once_delivery.targets.base import Kind
from once_delivery.targets.profile import Guard, Profile
from once_delivery.targets.rest.declaration import read_declaration
from once_delivery.targets.rest.profiles import (
    NoReadyProfileError,
    parameters_of,
    ready_names,
    ready_profile,
)

GIVEN: dict[str, dict[str, str]] = {
    "contentful": {"space": "s1", "content_type": "article"},
    "drupal": {"bundle": "article"},
    "sanity": {"project": "p1", "document_type": "post"},
    "shopify": {"shop": "demo"},
}
every_one = pytest.mark.parametrize("name", GIVEN)


def test_which_there_are() -> None:
    assert ready_names() == ("contentful", "drupal", "sandbox", "sanity", "shopify")


@every_one
def test_each_says_that_it_was_read_and_not_run(name: str) -> None:
    ready = ready_profile(name, **GIVEN[name])
    assert (ready.evidence, ready.declaration["evidence"], ready.declaration["ready"]) == (
        "documentation",
        "documentation",
        name,
    )
    assert ready.documentation
    assert any("not verified" in note.lower() for note in ready.notes)


@every_one
def test_each_number_has_its_reason_in_both_languages(name: str) -> None:
    with translation.override("en"):
        english = ready_profile(name, **GIVEN[name])
    with translation.override("zh-hans"):
        chinese = ready_profile(name, **GIVEN[name])
    assert set(english.profile) == set(english.why) == set(chinese.why)
    assert english.declaration == chinese.declaration
    assert len(english.notes) == len(chinese.notes)
    said = [*english.why.values(), *english.notes]
    assert all(text.replace("“", "").replace("”", "").isascii() for text in said)
    assert not any(text.isascii() for text in [*chinese.why.values(), *chinese.notes])


@every_one
def test_each_is_complete_and_has_no_empty_place(name: str) -> None:
    ready = ready_profile(name, **GIVEN[name])
    assert "[[" not in json.dumps(ready.declaration) + ready.base_url
    spec = read_declaration(ready.declaration, ready.base_url or "https://cms.example").kinds[
        Kind.CREATE_DRAFT
    ]
    assert all((spec.read, spec.list, spec.remove))
    assert spec.create.answer.has_marker
    assert (spec.update is not None) == (name in {"contentful", "sanity"})
    Profile.from_json(ready.profile)


@pytest.mark.parametrize(
    ("values", "code", "pointer"),
    [
        ({"space": "s1"}, "value-missing", "/set/content_type"),
        ({"space": "s1", "content_type": "a", "colour": "red"}, "value-unknown", "/set/colour"),
        ({"space": "s/../1", "content_type": "a"}, "value-malformed", "/set/space"),
        ({"space": "s1\n", "content_type": "a"}, "value-malformed", "/set/space"),
        ({"space": "{{marker}}", "content_type": "a"}, "value-malformed", "/set/space"),
        ({"space": "", "content_type": "a"}, "value-malformed", "/set/space"),
    ],
)
def test_values_that_do_not_fit(values: dict[str, str], code: str, pointer: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        ready_profile("contentful", **values)
    (problem,) = caught.value.problems
    assert (problem.code, problem.pointer) == (code, pointer)
    assert problem.message


def test_a_choice_that_there_is_not() -> None:
    with pytest.raises(InvalidInputError, match="moderation_state, status, content_type_default"):
        ready_profile("drupal", bundle="article", unpublished_by="hope")


def test_a_choice_changes_what_is_sent() -> None:
    bodies = [
        ready_profile("drupal", bundle="article", **more).declaration["kinds"]["create_draft"]["create"][
            "body"
        ]
        for more in ({}, {"unpublished_by": "status"}, {"unpublished_by": "content_type_default"})
    ]
    sent = [{"status", "moderation_state"} & set(body["data"]["attributes"]) for body in bodies]
    assert sent == [{"moderation_state"}, {"status"}, set()]


@pytest.mark.parametrize(("name", "guard"), [("contentful", Guard.LOOKUP), ("sandbox", ""), ("nothing", "")])
def test_a_guard_that_it_does_not_have(name: str, guard: str) -> None:
    with pytest.raises(NoReadyProfileError):
        ready_profile(name, guard, **GIVEN.get(name, {}))


def test_what_may_be_given() -> None:
    with translation.override("en"):
        assert parameters_of("contentful")["space"] == "space ID"
        assert "unpublished_by" in parameters_of("drupal")
    assert parameters_of("sandbox") == {}
