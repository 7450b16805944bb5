"""Attempts, receipts, observations and events of actions as one line of time, the newest first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from once_delivery.ledger.models import Action, Attempt, Event, Observation, Receipt
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.states import State
from once_delivery.targets.base import Outcome, Verdict
from once_delivery.ui.templatetags.ui import person
from once_delivery.web.wording import OUTCOMES, VERDICTS, actor_word, method_words

MOST = 200

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


@dataclass(frozen=True, slots=True)
class TimeLine:
    """The newest entries; ``more`` says that older ones are not shown."""

    entries: list[Entry]
    more: bool


def timeline_of(actions: Sequence[Action]) -> TimeLine:
    """Everything that is kept of these actions, in four queries."""
    names = {one.pk: one if len(actions) > 1 else None for one in actions}
    entries = [*_attempts(names), *_receipts(names), *_observations(names), *_events(names)]
    entries.sort(key=lambda entry: (entry.at, entry.order), reverse=True)
    return TimeLine(entries[:MOST], more=len(entries) > MOST)


def _attempts(names: Names) -> Iterator[Entry]:
    for one in Attempt.objects.filter(action__in=names).select_related("run").order_by("-pk")[: MOST + 1]:
        how = _("Sent again under the target's protection.") if one.replay else ""
        outside = _("Outside execution %(id)s.") % {"id": one.run.external_id} if one.run.external_id else ""
        lease = _("The lease ends at %(time)s.") % {"time": f"{timezone.localtime(one.lease_until):%H:%M:%S}"}
        yield Entry(
            at=one.intended_at,
            tag=_("attempt"),
            icon="send",
            tone="sending",
            title=_("Attempt %(number)s") % {"number": one.number},
            text=_joined(how, lease, outside),
            code=one.sender,
            action=names[one.action_id],
            order=1,
        )


def _receipts(names: Names) -> Iterator[Entry]:
    for one in Receipt.objects.filter(action__in=names).order_by("-pk")[: MOST + 1]:
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


def _observations(names: Names) -> Iterator[Entry]:
    for one in Observation.objects.filter(action__in=names).order_by("-pk")[: MOST + 1]:
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


def _events(names: Names) -> Iterator[Entry]:
    for one in Event.objects.filter(action__in=names).select_related("user").order_by("-pk")[: MOST + 1]:
        to = State(one.to_state) if one.to_state in State.values else None
        yield Entry(
            at=one.at,
            tag=_("event"),
            icon=str(to) if to else "warn",
            tone=str(to) if to else "reconcile",
            title=str(to.label) if to else _("Noted"),
            text=_joined(
                sentence(one.reason),
                _("By %(actor)s.") % {"actor": person(one.user) if one.user else actor_word(one.actor)},
            ),
            code="" if to else one.kind,
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
