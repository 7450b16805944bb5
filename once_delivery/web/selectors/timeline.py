"""Attempts, receipts, observations and events of actions as one line of time, the newest first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from once_delivery.common.moments import aware_moment_of
from once_delivery.ledger.models import Action, Attempt, Event, Observation, Receipt
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.states import State
from once_delivery.targets.base import Outcome, Verdict
from once_delivery.ui.templatetags.ui import person
from once_delivery.web.wording import EVENTS, OUTCOMES, VERDICTS, actor_word, kind_word, method_words

PAGE = 100

_OUTCOME_TONES = {
    Outcome.DONE: "confirmed",
    Outcome.ACCEPTED: "accepted",
    Outcome.REFUSED: "refused",
    Outcome.UNKNOWN: "uncertain",
}
_VERDICT_TONES = {
    Verdict.FOUND: "confirmed",
    Verdict.FOUND_MANY: "reconcile",
    Verdict.CANNOT_TELL: "uncertain",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened."""

    at: datetime
    tag: str
    icon: str
    tone: str
    title: str
    text: str = ""
    code: str = ""  # as the machines said it
    result_id: str = ""
    excerpt: str = ""
    action: Action | None = None  # which one, when there are several
    order: int = 0


Names = dict[int, Action | None]
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class TimeLine:
    """One page, the newest first; ``next_key`` is empty on the last one."""

    entries: list[Entry]
    next_key: str = ""
    first: bool = True


def timeline_of(actions: Sequence[Action], *, before: str = "") -> TimeLine:
    """What is kept of these actions, in four queries; ``before`` (a time) is where the page before ended."""
    names = {one.pk: one if len(actions) > 1 else None for one in actions}
    until = _time(before)
    entries = [
        *_attempts(names, until),
        *_receipts(names, until),
        *_observations(names, until),
        *_events(names, until),
    ]
    entries.sort(key=lambda entry: (entry.at, entry.order), reverse=True)
    if len(entries) <= PAGE:
        return TimeLine(entries, first=until is None)
    # what happened at one moment stays together
    end = entries[PAGE].at
    page = [entry for entry in entries[:PAGE] if entry.at > end] or entries[:PAGE]
    return TimeLine(page, next_key=page[-1].at.isoformat(), first=until is None)


def _time(key: str) -> datetime | None:
    return aware_moment_of(key)


def _rows(model: type[Row], names: Names, field: str, until: datetime | None) -> QuerySet[Row]:
    """The newest rows before ``until``: one more than a page."""
    found = model._default_manager.filter(action__in=names)  # noqa: SLF001 - Django's documented name for any model's manager
    if until is not None:
        found = found.filter(**{f"{field}__lt": until})
    return found.order_by(f"-{field}", "-pk")


def _attempts(names: Names, until: datetime | None) -> Iterator[Entry]:
    for one in _rows(Attempt, names, "intended_at", until).select_related("run")[: PAGE + 1]:
        how = _("Sent again under the target's protection.") if one.replay else ""
        what = _("What was sent: %(kind)s.") % {"kind": kind_word(one.effect)} if one.effect else ""
        outside = _("Outside execution %(id)s.") % {"id": one.run.external_id} if one.run.external_id else ""
        lease = _("The lease ends at %(time)s.") % {"time": f"{timezone.localtime(one.lease_until):%H:%M:%S}"}
        yield Entry(
            at=one.intended_at,
            tag=_("attempt"),
            icon="send",
            tone="sending",
            title=_("Attempt %(number)s") % {"number": one.number},
            text=_joined(what, how, lease, outside),
            code=one.sender,
            action=names[one.action_id],
            order=1,
        )


def _receipts(names: Names, until: datetime | None) -> Iterator[Entry]:
    for one in _rows(Receipt, names, "received_at", until)[: PAGE + 1]:
        late = _("It came after its lease was lost and is kept.") if one.late else ""
        yield Entry(
            at=one.received_at,
            tag=_("receipt"),
            icon="answer",
            tone=_OUTCOME_TONES.get(Outcome(one.outcome), ""),
            title=str(OUTCOMES.get(one.outcome, one.outcome)),
            text=late,
            code=_machine(one.code, one.http_status),
            result_id=one.result_id,
            excerpt=one.detail or one.excerpt,
            action=names[one.action_id],
            order=2,
        )


def _observations(names: Names, until: datetime | None) -> Iterator[Entry]:
    for one in _rows(Observation, names, "looked_at", until)[: PAGE + 1]:
        complete = (
            _("Every page and every status was read.") if one.complete else _("Not everything could be read.")
        )
        proof = _("This proves absence.") if one.proves_absence else ""
        found = [str(seen.get("result_id", "")) for seen in one.objects_seen if isinstance(seen, dict)]
        yield Entry(
            at=one.looked_at,
            tag=_("look-up"),
            icon="eye",
            tone=_VERDICT_TONES.get(Verdict(one.verdict), ""),
            title=_("Looked up: %(verdict)s") % {"verdict": VERDICTS.get(one.verdict, one.verdict)},
            text=_joined(_asked(one.method), complete, proof, _alike(len(one.candidates))),
            code=_machine(one.code, one.http_status),
            result_id=", ".join(found),
            excerpt=one.detail,
            action=names[one.action_id],
            order=3,
        )


def _events(names: Names, until: datetime | None) -> Iterator[Entry]:
    for one in _rows(Event, names, "at", until).select_related("user")[: PAGE + 1]:
        to = State(one.to_state) if one.to_state in State.values else None
        yield Entry(
            at=one.at,
            tag=_("event"),
            icon=str(to) if to else "warn",
            tone=str(to) if to else "reconcile",
            title=str(to.label) if to else str(EVENTS.get(one.kind, _("Noted"))),
            text=_joined(
                sentence(one.reason),
                _("By %(actor)s.") % {"actor": person(one.user) if one.user else actor_word(one.actor)},
            ),
            code="" if to or one.kind in EVENTS else one.kind,
            excerpt=json.dumps(one.data, ensure_ascii=False, indent=2) if one.data else "",
            action=names[one.action_id],
            order=4,
        )


def _asked(method: str) -> str:
    words = method_words(method)
    return _("Asked %(how)s.") % {"how": words} if words else ""


def _alike(count: int) -> str:
    if not count:
        return ""
    return ngettext(
        "%(count)s object looks alike, without our marker.",
        "%(count)s objects look alike, without our marker.",
        count,
    ) % {"count": count}


def _machine(code: str, http_status: int | None) -> str:
    """The code as a machine said it; the HTTP status when the code does not say it already."""
    status = f"HTTP {http_status}" if http_status and f"http-{http_status}" != code else ""
    return " · ".join(part for part in (code, status) if part)


def _joined(*sentences: str) -> str:
    """Sentences beside one another; Chinese puts no space between them."""
    between = "" if (get_language() or "").startswith("zh") else " "
    return between.join(one for one in sentences if one)
