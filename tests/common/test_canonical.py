"""One spelling for one meaning (FAULTS 21): what is one identity, and what must stay two."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from once_delivery.common.canonical import (
    BadIdentityError,
    UnknownLocaleError,
    canonical_json,
    code,
    fingerprint,
    locale,
    text,
)

# letters whose case and marks interact, marks of several classes, what cannot be seen, and blanks
TRICKY = "aeEiIıİßẞΣσςΐῼǅ\u1e9eé한ㅎ壶👩\u0301\u0308\u0323\u0345\u0327\u200b\u200d\u00ad\u2060\ufeff \t\u3000"
Words = st.text(alphabet=TRICKY, min_size=1, max_size=12) | st.text(min_size=1, max_size=40)


@pytest.mark.parametrize(
    ("spelling", "tag"),
    [
        ("de-CH", "de-CH"),
        ("de_CH", "de-CH"),
        ("DE-ch", "de-CH"),
        (" de-CH\n", "de-CH"),
        ("zh_hans_cn", "zh-Hans-CN"),
        ("ZH-HANT-tw", "zh-Hant-TW"),
        ("iw", "he"),
        ("pt_br", "pt-BR"),
        ("es-419", "es-419"),
        ("en-GB-oed", "en-GB-oxendict"),
        ("de-DE-u-co-phonebk", "de-DE-u-co-phonebk"),
        ("ar", "ar"),
    ],
)
def test_one_language_has_one_tag(spelling: str, tag: str) -> None:
    assert locale(spelling) == tag


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "english",
        "中文",
        "xx-YY",
        "en--US",
        "en-US-",
        "en_US.UTF-8",
        "und",
        "d",
        "ｄｅ",
        "de CH",
        "a" * 300,
    ],
)
def test_what_is_no_language_tag_is_refused(value: str) -> None:
    with pytest.raises(UnknownLocaleError):
        locale(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [("de-CH", "de-DE"), ("zh-Hans", "zh-Hant"), ("zh", "zh-CN"), ("en", "en-US"), ("pt-BR", "pt-PT")],
)
def test_different_languages_stay_different(one: str, other: str) -> None:
    assert locale(one) != locale(other)


@given(st.sampled_from(["de-CH", "zh-Hans-CN", "en-US", "pt-BR", "es-419", "ar", "sr-Latn-RS"]), st.data())
def test_case_separator_and_blanks_around_make_no_difference(tag: str, data: st.DataObject) -> None:
    spelled = "".join(char.upper() if data.draw(st.booleans()) else char.lower() for char in tag)
    spelled = spelled.replace("-", data.draw(st.sampled_from("-_")))

    assert locale(f" {spelled}\t") == tag


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("Kessel", "Kessel"),
        (" Kessel ", "Kessel"),
        ("Kessel\u00a00,9\u3000l", "Kessel 0,9 l"),
        ("a \t\n b", "a b"),
        ("te\u0301", "té"),
        ("\ufeffKessel\u200b", "Kessel"),
        ("Kes\u00adsel", "Kessel"),
        ("한국", "한국"),
        ("ㅎㅏㄴ", "ㅎㅏㄴ"),
        ("👩\u200d🍳", "👩\u200d🍳"),
    ],
)
def test_one_text_has_one_spelling(spelling: str, canonical: str) -> None:
    assert text(spelling) == canonical


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("e\u200b\u0301", "é"),
        ("Kessel\u200e", "Kessel"),  # left-to-right mark
        ("\u2066Kessel\u2069", "Kessel"),  # isolates, pasted from a right-to-left page
    ],
)
def test_marks_of_direction_and_composing_around_the_unseen(spelling: str, canonical: str) -> None:
    assert text(spelling) == canonical


@pytest.mark.parametrize("value", ["", " ", "\u200b", "a\x00", "a\x1bb", "\ud800", "x" * 101])
def test_what_cannot_be_an_identity_is_refused(value: str) -> None:
    with pytest.raises(BadIdentityError):
        text(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kettle", "KETTLE"),
        ("Ｐｒｏ ２", "pro 2"),
        ("straße", "STRASSE"),
        ("İstanbul", "i\u0307stanbul"),
        ("ΌΣΟΣ", "όσος"),
        ("tée", "TE\u0301E"),
    ],
)
def test_codes_that_people_type_are_case_folded(one: str, other: str) -> None:
    assert code(one) == code(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kettle", "kettle2"),
        ("tee", "tée"),
        ("a b", "ab"),
        ("a-b", "a_b"),
        ("l", "1"),
        ("0", "o"),
        ("壶", "壺"),
    ],
)
def test_different_codes_stay_different(one: str, other: str) -> None:
    assert code(one) != code(other)


def canonical_or_none(value: str) -> str | None:
    try:
        return code(value)
    except BadIdentityError:
        return None


@given(Words)
def test_canonical_is_canonical_already(value: str) -> None:
    once = canonical_or_none(value)
    assume(once is not None)

    assert once is not None
    assert code(once) == once


@given(Words)
def test_composed_and_decomposed_are_one(value: str) -> None:
    assert canonical_or_none(unicodedata.normalize("NFC", value)) == canonical_or_none(
        unicodedata.normalize("NFD", value)
    )


@given(Words, st.sampled_from([" ", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff"]))
def test_blanks_around_make_no_difference(value: str, blank: str) -> None:
    assert canonical_or_none(f"{blank}{value}{blank}") == canonical_or_none(value)


@given(Words, st.integers(0, 40), st.sampled_from(["\u00ad", "\u200b", "\u2060", "\ufeff"]))
def test_what_cannot_be_seen_makes_no_difference(value: str, where: int, unseen: str) -> None:
    assert canonical_or_none(value[:where] + unseen + value[where:]) == canonical_or_none(value)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789-.壶灯瓶éß", min_size=1, max_size=12), Words)
def test_a_visible_addition_makes_another(value: str, addition: str) -> None:
    longer = canonical_or_none(value + "x" + addition)

    assert longer is None or longer != code(value)


Json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(alphabet=st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(alphabet=st.characters(codec="utf-8"), max_size=6), Json, max_size=6))
def test_the_order_of_keys_makes_no_difference(data: dict[str, object]) -> None:
    assert fingerprint(dict(reversed(data.items()))) == fingerprint(data)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": "1"}),
        ({"a": 1}, {"a": True}),
        ({"a": None}, {}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({"a": "é"}, {"a": "e\u0301"}),
        ({"a": "x"}, {"a": "x "}),
    ],
    ids=str,
)
def test_other_content_has_another_fingerprint(one: object, other: object) -> None:
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53 + 1, {"a": "\ud800"}], ids=repr)
def test_what_json_cannot_say_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r".*"):
        canonical_json(value)
