from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from django.utils import translation

from once_delivery.config.management.commands.messages import files
from once_delivery.config.translations.catalogs import CatalogFile
from once_delivery.config.translations.extracting import strings_in, template_catalog
from once_delivery.config.translations.problems import problems
from tests.house.sources import ROOT


@pytest.mark.parametrize("file", files(), ids=lambda file: file.locale)
def test_every_string_has_its_translation(file: CatalogFile) -> None:
    assert list(problems(file.read(), template_catalog(ROOT))) == []


def catalog(*entries: tuple[str | tuple[str, str], str | tuple[str, ...]]) -> Catalog:
    made = Catalog("zh_Hans")
    for message, string in entries:
        made.add(message, string)
    return made


@pytest.mark.parametrize(
    ("_case", "translated", "expected"),
    [
        ("complete", catalog(("%(n)s left", "剩 %(n)s")), []),
        ("missing", catalog(), ["missing: '%(n)s left'"]),
        ("empty", catalog(("%(n)s left", "")), ["untranslated: '%(n)s left'"]),
        (
            "placeholder",
            catalog(("%(n)s left", "剩 %(m)s")),
            ["placeholders differ: '%(n)s left' → '剩 %(m)s'"],
        ),
        ("unused", catalog(("%(n)s left", "剩 %(n)s"), ("old", "旧")), ["no longer used: 'old'"]),
    ],
)
def test_what_is_wrong_is_named(_case: str, translated: Catalog, expected: list[str]) -> None:
    assert list(problems(translated, catalog(("%(n)s left", "")))) == expected


def test_a_fuzzy_translation_is_none() -> None:
    fuzzy = catalog()
    fuzzy.add("a", "甲", flags=["fuzzy"])
    assert list(problems(fuzzy, catalog(("a", "")))) == ["fuzzy: 'a'"]


def test_strings_are_found_in_python_and_templates(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('_("one")\nngettext("%(n)s a", "%(n)s b", 2)\npgettext("verb", "open")\nother("no")\n')
    page = tmp_path / "page.html"
    page.write_text(
        "<p class=\"it's (odd\">{% translate 'two' %}</p>\n"
        "{% blocktranslate count n=n trimmed %}\n  {{ n }} left\n{% plural %}\n  {{ n }} are left\n{% endblocktranslate %}\n"
        "{{ _('three') }} text that isn't Python ))\n"
    )
    assert [(found[1], found[3]) for found in strings_in(module)] == [
        ("one", None),
        (("%(n)s a", "%(n)s b"), None),
        ("open", "verb"),
    ]
    assert [found[1] for found in strings_in(page)] == ["two", ("%(n)s left", "%(n)s are left"), "three"]


def test_an_update_keeps_what_is_translated_and_drops_what_is_unused(tmp_path: Path) -> None:
    file = CatalogFile("zh_Hans", tmp_path / "zh_Hans" / "LC_MESSAGES" / "django.po")
    file.update(catalog(("kept", ""), ("old", "")))
    file.po.write_text(file.po.read_text().replace('msgid "kept"\nmsgstr ""', 'msgid "kept"\nmsgstr "留"'))
    file.update(catalog(("kept", ""), ("new", "")))
    assert {message.id: message.string for message in file.read() if message.id} == {"kept": "留", "new": ""}
    before = file.po.read_bytes()
    file.update(catalog(("new", ""), ("kept", "")))
    assert file.po.read_bytes() == before


def test_pages_are_read_in_chinese() -> None:
    with translation.override("zh-hans"):
        assert translation.gettext("page parts") == "页面部件"
