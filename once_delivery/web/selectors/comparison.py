"""What we sent beside what was found at the target: which parts match, and where the words differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from once_delivery.common.moments import aware_moment_of
from once_delivery.ui.differences import Sides, plain, sides
from once_delivery.ui.templatetags.ui import span
from once_delivery.web.field_words import FIELDS
from once_delivery.web.selectors.task import web_address

YES, NEARLY, NO = "yes", "nearly", "no"
ICONS = {YES: "confirmed", NEARLY: "uncertain", NO: "x", "": ""}
TONES = {YES: "confirmed", NEARLY: "uncertain", NO: "refused", "": ""}
SOON_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Sent:
    """Our side: what an object of ours would have."""

    marker: str
    payload: Mapping[str, Any]
    first_at: datetime | None
    base_version: str = ""

    def text(self, name: str) -> str:
        value = self.payload.get(name)
        return value if isinstance(value, str) else ""

    @property
    def file_hash(self) -> str:
        file = self.payload.get("file")
        return str(file.get("sha256") or "") if isinstance(file, Mapping) else ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One part of one candidate: what it has, and whether it matches."""

    text: str
    match: str = ""  # YES, NEARLY, NO, or "" where there is nothing to compare
    code: bool = False  # not a word of any language

    @property
    def icon(self) -> str:
        return ICONS[self.match]

    @property
    def tone(self) -> str:
        return TONES[self.match]


@dataclass(frozen=True, slots=True)
class Line:
    """One part: what we sent, and each candidate's."""

    word: str
    sent: str
    cells: list[Cell]
    code: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """An object that the latest look-up showed. ``ours``: it carries our marker."""

    number: int
    result_id: str
    url: str
    title: str
    status: str
    created_at: datetime | None
    content_hash: str
    cost: str
    ours: bool
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)
    reasons: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Texts:
    """One field of one candidate, both texts in full."""

    number: int
    word: str
    difference: Sides


def candidate(raw: Mapping[str, Any], *, number: int, ours: bool) -> Candidate:
    """A candidate as an observation keeps it; what a target said is not believed in its form."""
    usage = raw.get("usage")
    paid = usage if isinstance(usage, Mapping) else {}
    return Candidate(
        number=number,
        result_id=str(raw.get("result_id") or ""),
        url=web_address(str(raw.get("url") or "")),
        title=str(raw.get("title") or ""),
        status=str(raw.get("status") or ""),
        created_at=aware_moment_of(raw.get("created_at")),
        content_hash=str(raw.get("content_hash") or ""),
        cost=" ".join(
            str(paid[name]) for name in ("currency", "amount") if paid.get("amount") and paid.get(name)
        ),
        ours=ours,
        raw=raw,
    )


def lines_of(sent: Sent, candidates: Sequence[Candidate]) -> list[Line]:
    """Every part that can be compared; fills in each candidate's reasons."""
    parts: list[tuple[str, str, list[Cell], bool]] = [
        (_("Marker"), sent.marker, [_marker(sent, one) for one in candidates], True)
    ]
    for name in _names(sent, candidates):
        word = _word(name)
        parts.append(
            (word, _short(plain(sent.text(name))), [_words(sent, one, name) for one in candidates], True)
        )
    if sent.file_hash:
        parts.append((_("Hash"), sent.file_hash, [_hash(sent, one) for one in candidates], True))
    if sent.first_at is not None:
        local = f"{timezone.localtime(sent.first_at):%m-%d %H:%M:%S}"
        parts.append((_("Time"), local, [_when(sent.first_at, one) for one in candidates], True))
    if sent.base_version:
        parts.append(
            (_("Version there"), sent.base_version, [_version(sent, one) for one in candidates], True)
        )
    for index, one in enumerate(candidates):
        one.reasons.extend(word for word, _sent, cells, _code in parts if cells[index].match == YES)
    return [Line(word, shown, cells, code) for word, shown, cells, code in parts]


def texts_of(sent: Sent, candidates: Sequence[Candidate]) -> list[Texts]:
    """Both texts side by side wherever a look brought the target's and they differ: theirs before, ours after."""
    found = []
    for one in candidates:
        content = one.raw.get("content")
        for name, held in content.items() if isinstance(content, Mapping) else ():
            if isinstance(held, str) and sent.text(name):
                word = _word(name)
                both = sides(plain(held), plain(sent.text(name)))
                found += [Texts(one.number, word, both)] if both.places else []
    return found


def _word(name: str) -> str:
    return capfirst(str(FIELDS[name])) if name in FIELDS else name


def _names(sent: Sent, candidates: Sequence[Candidate]) -> list[str]:
    """The title, and the fields whose text a look has brought."""
    names = {"title"} if sent.text("title") else set()
    for one in candidates:
        content = one.raw.get("content")
        names |= set(content) if isinstance(content, Mapping) else set()
    order = list(FIELDS)
    return sorted(
        (name for name in names if sent.text(name)),
        key=lambda name: (order.index(name) if name in order else len(order), name),
    )


def _marker(sent: Sent, one: Candidate) -> Cell:
    marker = str(one.raw.get("marker") or "")
    if not marker:
        return Cell(_("none"), NEARLY)
    return Cell(_("the same"), YES) if marker == sent.marker else Cell(marker, NO, code=True)


def _words(sent: Sent, one: Candidate, name: str) -> Cell:
    content = one.raw.get("content")
    held = content.get(name) if isinstance(content, Mapping) else None
    text = held if isinstance(held, str) else one.title if name == "title" else ""
    if not text:
        return Cell(_("not read"))
    places = sides(plain(text), plain(sent.text(name))).places
    if not places:
        return Cell(_("word for word"), YES)
    if name == "title":
        return Cell(text, NO, code=True)
    count = ngettext("%(count)s place differs", "%(count)s places differ", places)
    return Cell(count % {"count": places}, NO)


def _hash(sent: Sent, one: Candidate) -> Cell:
    if not one.content_hash:
        return Cell(_("not told"))
    return Cell(_("the same"), YES) if one.content_hash == sent.file_hash else Cell(_("another"), NO)


def _when(first_at: datetime, one: Candidate) -> Cell:
    if one.created_at is None:
        return Cell(_("not told"))
    later = one.created_at - first_at
    if later < timedelta():
        return Cell(_("%(time)s before we sent") % {"time": _span(-later)}, NO)
    after = _("%(time)s after we sent") % {"time": _span(later)}
    return Cell(after, YES if later <= SOON_AFTER else NEARLY)


def _version(sent: Sent, one: Candidate) -> Cell:
    version = str(one.raw.get("version") or "")
    if not version:
        return Cell(_("not told"))
    return Cell(_("as we last saw it"), YES) if version == sent.base_version else Cell(version, NO, code=True)


def _span(length: timedelta) -> str:
    seconds = length.total_seconds()
    return _("%(seconds)s s") % {"seconds": f"{seconds:.1f}"} if seconds < 60 else span(length)  # noqa: PLR2004


def _short(text: str) -> str:
    return text if len(text) <= 90 else f"{text[:89]}…"  # noqa: PLR2004 - a line or two of a table
