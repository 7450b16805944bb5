"""Was this update done? What one read of the object says."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import FoundObject, Look, Original, Verdict

ORIGINAL = Original("4", "once-a", "v1")
NEW = {"title": "Neu", "body": "<p>Neu &amp; gut</p>", "locale": "de-DE"}


def judged(*, verdict: Verdict = Verdict.FOUND, complete: bool = True, **object_: Any) -> Look:
    found = FoundObject(
        **{
            "result_id": "4",
            "marker": "once-a",
            "version": "v1",
            "status": "draft",
            "content": {"title": "Alt", "body": "<p>Alt</p>"},
            **object_,
        }
    )
    objects = (found,) if verdict == Verdict.FOUND else ()
    read = Look(verdict, "id", complete=complete, objects=objects)
    return updating.judged(read, original=ORIGINAL, payload=NEW, public=("published",))


OURS = {"title": "Neu", "body": "<p>Neu & gut</p>"}


@pytest.mark.parametrize(
    ("read", "verdict", "code"),
    [
        ({}, Verdict.ABSENT, ""),
        ({"content": OURS, "version": "v2"}, Verdict.FOUND, ""),
        ({"content": OURS, "version": "v2", "status": "published"}, Verdict.FOUND, ""),
        ({"version": "v2"}, Verdict.CANNOT_TELL, updating.CHANGED),
        ({"version": ""}, Verdict.CANNOT_TELL, updating.CHANGED),
        ({"status": "published"}, Verdict.CANNOT_TELL, updating.PUBLISHED),
        ({"trashed": True}, Verdict.CANNOT_TELL, updating.GONE),
        ({"marker": "once-b", "content": OURS}, Verdict.CANNOT_TELL, updating.FOREIGN),
        ({"verdict": Verdict.ABSENT}, Verdict.CANNOT_TELL, updating.GONE),
        ({"verdict": Verdict.CANNOT_TELL, "complete": False}, Verdict.CANNOT_TELL, ""),
    ],
    ids=str,
)
def test_what_one_read_says(read: dict[str, Any], verdict: Verdict, code: str) -> None:
    look = judged(**read)
    assert (look.verdict, look.code) == (verdict, code)
    assert bool(look.candidates) == (code in updating.FOR_A_PERSON - {updating.GONE} or "trashed" in read)


@pytest.mark.parametrize(
    ("held", "sent", "same"),
    [
        ("<p>Kessel</p>", "Kessel", True),
        ("<p>10 m2</p>", "<p>10 m<sup>2</sup></p>", True),  # the CMS knows no <sup>
        ("<p>one</p><p>two</p>", "<p>one</p>\n<p>two</p>", True),
        ("<p>one</p><p>two</p>", "<p>onetwo</p>", False),
        ("“Kessel” – neu", '"Kessel" - neu', True),
        ("Kessel", "Kessel 2", False),
        ('<a href="https://a.example/x">Kessel</a>', '<a href="https://a.example/x/">Kessel</a>', True),
        (
            '<a href="https://a.example/%C3%BC?a=1&amp;b=2">x</a>',
            "<a href='https://a.example/ü?a=1&b=2'>x</a>",
            True,
        ),
        ('<img src="https://cms.example/m/1.png">', "<img src=/m/1.png>", True),  # made whole
        ("Kessel", '<a href="https://a.example/x">Kessel</a>', True),  # dropped
        ('<a href="https://b.example/x">Kessel</a>', '<a href="https://a.example/x">Kessel</a>', False),
        ('Kessel<img alt="" src="https://b.example/1.png">', "Kessel", False),
        ('<a href="https://b.example/">x</a>', '<a href="/">x</a>', False),
        ("<p>Kessel</p>", "<style>p {}</style><p>Kessel</p><script>x()</script>", True),
    ],
)
def test_what_a_reader_takes_for_the_same(held: str, sent: str, *, same: bool) -> None:
    assert updating.same_content({"body": held}, {"body": sent}) is same


def test_a_cms_that_runs_words_together() -> None:
    held, sent = {"body": "<p>xyz</p>"}, {"body": "<p>x <small>y</small> z</p>"}
    assert not updating.same_content(held, sent)
    assert updating.same_content(held, sent, loses_spaces=True)


def test_nothing_in_common_is_not_the_same() -> None:
    assert not updating.same_content({"title": "x"}, {"body": "x"})
    assert not updating.same_content({}, {})
