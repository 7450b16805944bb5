"""One case with its evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone

from once_delivery.ledger.models import Action, Attempt, Observation
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.states import NextStep, State
from once_delivery.web.selectors.candidates import latest_looks, shown
from once_delivery.web.selectors.case_clock import CaseRow
from once_delivery.web.selectors.case_events import CaseHistory, history_of
from once_delivery.web.selectors.comparison import (
    YES,
    Candidate,
    Line,
    Sent,
    Texts,
    candidate,
    lines_of,
    texts_of,
)
from once_delivery.web.selectors.service_note import ServiceNote, service_note_of
from once_delivery.web.selectors.task import ActionFacts, facts_of
from once_delivery.web.selectors.timeline import TimeLine, timeline_of
from once_delivery.web.wording import RESOLUTIONS, method_words
from reconciliation.held import waiting_at
from reconciliation.models import Case, CaseEventKind, CaseKind
from reconciliation.models.calendar import hours_of

HELD_COUNTED = 1_000
COMPARED = 4  # candidates side by side; the rest is listed


@dataclass(frozen=True, slots=True)
class Held:
    """Why nothing is sent to the case's target, and how much waits there; ``count`` stops at ``HELD_COUNTED``."""

    why: str
    count: int
    more: bool


@dataclass(frozen=True, slots=True)
class CaseEvidence:
    """What the case stands on. It is attached by the system and cannot be edited."""

    row: CaseRow
    facts: ActionFacts
    candidates: list[Candidate]
    compared: list[Candidate]
    lines: list[Line]
    texts: list[Texts]
    look: Observation | None
    method: str
    timeline: TimeLine
    history: CaseHistory
    resolution: str
    looking_since: datetime | None
    service: ServiceNote | None
    held: Held | None

    @property
    def refused(self) -> bool:
        """The target said no and made nothing: there is nothing to look for there."""
        return self.facts.action.state == State.REFUSED and self.look is None

    @property
    def several_of_ours(self) -> bool:
        return sum(one.ours for one in self.candidates) > 1

    @property
    def matching(self) -> int:
        """How many parts of the first candidate match."""
        return sum(line.cells[0].match == YES for line in self.lines if line.cells)


def evidence_of(case: Case, *, before: str = "") -> CaseEvidence:
    """Read what is known of the case's action and of what people did."""
    action: Action = case.action
    now = timezone.now()
    look = latest_looks([action.pk]).get(action.pk)
    sent = _sent(action)
    candidates = _candidates(look, sent)
    compared = candidates[:COMPARED]
    history = history_of(case)
    (facts,) = facts_of([action])
    return CaseEvidence(
        row=CaseRow(case, now, hours_of(case.project)),
        facts=facts,
        candidates=candidates,
        compared=compared,
        lines=lines_of(sent, compared) if compared else [],
        texts=texts_of(sent, compared),
        look=look,
        method=method_words(look.method) if look else "",
        timeline=timeline_of([action], before=before),
        history=history,
        resolution=str(RESOLUTIONS.get(case.resolution, case.resolution)),
        looking_since=_looking_since(action, history, look),
        service=service_note_of(action.target),
        held=_held(case),
    )


def looking_since(case: Case) -> datetime | None:
    """When the look-up was asked for that has not been made yet; None when there is none."""
    look = latest_looks([case.action_id]).get(case.action_id)
    return _looking_since(case.action, history_of(case), look)


def _looking_since(action: Action, history: CaseHistory, look: Observation | None) -> datetime | None:
    asked = history.latest(CaseEventKind.LOOKED)
    if asked is None or action.next_step != NextStep.LOOK_UP:
        return None
    return asked.at if look is None or look.looked_at < asked.at else None


def _held(case: Case) -> Held | None:
    if case.kind != CaseKind.HELD or case.resolved_at is not None:
        return None
    count = waiting_at(case.action.target_id).values("pk")[: HELD_COUNTED + 1].count()
    return Held(sentence(case.reason), min(count, HELD_COUNTED), count > HELD_COUNTED)


def _candidates(look: Observation | None, sent: Sent) -> list[Candidate]:
    """Ours before what looks alike, and of each the one first of which the most matches."""
    if look is None:
        return []
    seen = [(one, True) for one in shown(look.objects_seen)] + [
        (one, False) for one in shown(look.candidates)
    ]
    found = [candidate(one, number=0, ours=ours) for one, ours in seen]
    if len(found) > 1:
        lines_of(sent, found)  # for the reasons alone: which of them are shown is not known yet
    best_first = sorted(found, key=lambda one: (not one.ours, -len(one.reasons)))
    return [replace(one, number=number, reasons=[]) for number, one in enumerate(best_first, start=1)]


def _sent(action: Action) -> Sent:
    first = Attempt.objects.filter(action=action).order_by("number").values_list("intended_at", flat=True)
    return Sent(
        marker=action.object_marker or action.marker,
        payload=action.payload if isinstance(action.payload, dict) else {},
        first_at=first.first(),
        base_version=action.base_version,
    )
