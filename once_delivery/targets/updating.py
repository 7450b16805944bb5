"""Was this update done? Asked of the one object that it is for (DESIGN section 4, ``on_new_version``)."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from once_delivery.targets.base import Answer, FoundObject, Look, Original, Outcome, Verdict

GONE = "original-gone"  # deleted, or in the trash
CHANGED = "changed-meanwhile"  # somebody else's text stands there now
FOREIGN = "original-foreign"  # the ID is there and carries another marker
PUBLISHED = "original-published"  # readers see it: whether they get another text is not ours to decide

FOR_A_PERSON = frozenset({GONE, CHANGED, FOREIGN, PUBLISHED})  # waiting makes none of them better

_NO_RIGHTS = frozenset({"unauthorized", "forbidden", "bad-id"})
# those that stand inside words: a CMS that drops them leaves the word whole
_INLINE = re.compile(
    r"</?(?:a|abbr|b|bdi|bdo|code|em|font|i|kbd|mark|s|small|span|strong|sub|sup|u)\b[^>]*>", re.IGNORECASE
)
_UNSEEN = re.compile(r"<(script|style)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_ADDRESS = re.compile(r"""<[^>]*?(?<![\w-])(?:href|src)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


def judged(
    read: Look,
    *,
    original: Original,
    payload: Mapping[str, Any],
    public: Collection[str] = (),
    loses_spaces: bool = False,
) -> Look:
    """From what ``Connector.read`` showed to the answer of a look-up for an update.

    ``public`` are the target's words for the statuses in which readers see an object; with ``loses_spaces`` it is known
    to run words together. FOUND: our text stands there, it
    was done. ABSENT: the object is as it was before. CANNOT_TELL with ``GONE``, ``CHANGED``, ``FOREIGN`` or
    ``PUBLISHED``: a person decides, with both texts (the object is the candidate).
    """
    if read.verdict != Verdict.FOUND:
        return replace(read, verdict=Verdict.CANNOT_TELL, code=GONE) if _is_gone(read) else read
    (found,) = read.objects
    doubt = _whose_and_where(found, original)
    if doubt:
        return _for_a_person(read, found, doubt)
    untouched = found.version != "" and found.version == original.version
    # a draft that nobody touched was not updated, even where the new content reads like the old
    if not untouched and same_content(found.content, payload, loses_spaces=loses_spaces):
        return read
    if found.status in public:
        return _for_a_person(read, found, PUBLISHED)
    if untouched:
        return replace(read, verdict=Verdict.ABSENT, objects=(), code="")
    return _for_a_person(read, found, CHANGED)


def held_back(look: Look) -> Answer | None:
    """Before an update is sent, for a target that does not compare versions itself: the reason why it must not be.

    ``look`` is what :func:`judged` says. None: the draft is as it was, send. EXISTS makes the ledger look at once, so
    that a person sees both texts.
    """
    if look.verdict == Verdict.ABSENT:
        return None
    if look.verdict == Verdict.FOUND:
        return Answer(Outcome.EXISTS, "already-updated", http_status=look.http_status)
    outcome = Outcome.NOT_SENT
    if look.code in FOR_A_PERSON:
        outcome = Outcome.EXISTS
    elif look.code in _NO_RIGHTS:
        outcome = Outcome.REFUSED
    elif look.retry_after_s is not None:
        outcome = Outcome.NOT_DONE
    return Answer(
        outcome, look.code, http_status=look.http_status, retry_after_s=look.retry_after_s, detail=look.detail
    )


def _whose_and_where(found: FoundObject, original: Original) -> str:
    if found.marker is not None and found.marker != original.marker:
        return FOREIGN
    return GONE if found.trashed else ""


def same_content(held: Mapping[str, str], sent: Mapping[str, Any], *, loses_spaces: bool = False) -> bool:
    """Whether a reader would see no difference in what both have: markup and typography left aside.

    A CMS cleans the HTML of an account with few rights, so that bytes cannot be compared. It may drop links and
    pictures; one that leads elsewhere than those that were sent is somebody's own.
    """
    both = [name for name in held if isinstance(sent.get(name), str)]
    space = "" if loses_spaces else " "
    return bool(both) and all(
        _words(held[name], space) == _words(sent[name], space) and _adds_no_address(held[name], sent[name])
        for name in both
    )


def _adds_no_address(held: str, sent: str) -> bool:
    ours = _addresses(sent)
    return all(any(_leads_alike(one, other) for other in ours) for one in _addresses(held) - ours)


def _addresses(text: str) -> set[str]:
    """Where its links and pictures lead, as far as spelling tells."""
    found = (_ADDRESS.findall(_UNSEEN.sub("", text))) if "=" in text else []
    return {unquote(html.unescape(one.strip("\"'"))).strip().rstrip("/") for one in found}


def _leads_alike(one: str, other: str) -> bool:
    """A CMS may make an address of its own site whole, or short."""
    short, whole = sorted((one, other), key=len)
    return "://" not in short and bool(short.strip("./")) and whole.endswith("/" + short.lstrip("./"))


def _is_gone(read: Look) -> bool:
    return read.verdict == Verdict.ABSENT and read.complete


def _for_a_person(read: Look, found: FoundObject, code: str) -> Look:
    return replace(
        read, verdict=Verdict.CANNOT_TELL, complete=False, objects=(), candidates=(found,), code=code
    )


def _words(text: str, space: str) -> str:
    plain = unicodedata.normalize(
        "NFKC", html.unescape(_TAG.sub(" ", _INLINE.sub("", _UNSEEN.sub("", text))))
    )
    quotes = plain.translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2013: "-", 0x2014: "-"})
    return _SPACE.sub(space, quotes).strip()
