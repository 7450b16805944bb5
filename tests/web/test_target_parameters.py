"""What the form of a target is built from: every parameter, number and credential of every kind has words."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from once_delivery.targets import schema
from once_delivery.targets.parameter_words import CREDENTIALS, KINDS, credential_names, words_of
from once_delivery.targets.profile import Guard
from once_delivery.targets.profile_words import LABELS
from once_delivery.targets.registry import default_profiles, kinds
from once_delivery.web.target_form.schema_fields import declaration_of, fields_of, unsayable
from once_delivery.web.target_form.start import start_of


@pytest.mark.parametrize("kind", sorted(set(kinds()) - {"noop"}))
def test_every_parameter_of_every_kind_has_words_in_both_languages(kind: str) -> None:
    declared = fields_of(kind, {}) if kind != "rest" else []
    for one in declared:
        name = one.key.rpartition(".")[2]
        with translation.override("en"):
            english = words_of(kind, name)
        with translation.override("zh-hans"):
            chinese = words_of(kind, name)
        assert english[0] != name, f"{kind}: {name}"
        assert english[1]
        assert chinese != english, f"{kind}: {name}"
    assert kind in KINDS


@pytest.mark.parametrize("kind", ["wordpress", "wagtail", "directus", "strapi", "ghost", "s3", "jobs"])
def test_what_a_form_reads_it_writes_again(kind: str) -> None:
    declaration = EXAMPLES[kind]
    schema.validate(declaration, kind)
    fields = fields_of(kind, declaration)
    assert declaration_of(fields, unsayable(fields, declaration)) == declaration


EXAMPLES: dict[str, dict[str, Any]] = {
    "wordpress": {
        "plugin": True,
        "marker_meta": None,
        "by_locale": {"de-DE": {"categories": [3]}},
        "recent": 50,
    },
    "wagtail": {"page_type": "a.B", "parent_id": 1, "marker_field": None, "parent_by_locale": {"de": 2}},
    "directus": {
        "collection": "posts",
        "client_id": False,
        "archived_value": None,
        "fields": {"title": "name"},
    },
    "strapi": {"content_type": "articles", "locales": {"de-DE": "de"}},
    "ghost": {"images": True, "fields": {"title": "title"}},
    "s3": {
        "bucket": "abc",
        "keys": {"upload_file": "f/{marker}"},
        "multipart": {"above": 5242880},
        "style": "path",
    },
    "jobs": {"service": "kling", "price": {"amount": "0.35", "currency": "CNY"}, "clock_skew_s": 2.5},
}


def test_every_number_of_a_profile_has_a_field() -> None:
    assert set(LABELS) == set(schema.document("profile")["properties"])


def test_every_default_is_offered_with_its_reasons() -> None:
    for kind in ("wordpress", "wagtail", "directus", "strapi", "ghost", "s3"):
        for guard in default_profiles(kind):
            start = start_of(kind, guard=str(guard))
            assert start is not None
            assert start.guard == Guard(guard)
            assert start.why
            assert set(start.why) <= set(start.numbers)


def test_every_credential_has_words() -> None:
    names = {name for kind in kinds() for name in credential_names(kind, EXAMPLES.get(kind, {}))}
    assert names - set(CREDENTIALS) == set()
