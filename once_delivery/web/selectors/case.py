"""One case with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from once_delivery.ledger.models import Action, Observation
from once_delivery.web.selectors.cases import CaseRow
from once_delivery.web.selectors.service_note import ServiceNote, service_note_of
from once_delivery.web.selectors.task import ActionFacts, facts_of, web_address
from once_delivery.web.selectors.timeline import TimeLine, timeline_of
from once_delivery.web.wording import RESOLUTIONS, method_words
from reconciliation.models import Case


@dataclass(frozen=True, slots=True)
class Candidate:
    """An object that the latest look-up showed. ``ours``: it carries our marker."""

    result_id: str
    url: str
    title: str
    status: str
    marker: str
    created_at: str
    ours: bool


@dataclass(frozen=True, slots=True)
class CaseEvidence:
    """What the case stands on. It is attached by the system and cannot be edited."""

    row: CaseRow
    facts: ActionFacts
    candidates: list[Candidate]
    looked_at: datetime | None
    complete: bool
    method: str
    timeline: TimeLine
    resolution: str
    service: ServiceNote | None


def evidence_of(case: Case) -> CaseEvidence:
    """Read what is known of the case's action."""
    action: Action = case.action
    latest = Observation.objects.filter(action=action).order_by("-looked_at", "-pk").first()
    (facts,) = facts_of([action])
    return CaseEvidence(
        row=CaseRow(case, timezone.now()),
        facts=facts,
        candidates=_candidates(latest) if latest else [],
        looked_at=latest.looked_at if latest else None,
        complete=latest.complete if latest else False,
        method=method_words(latest.method) if latest else "",
        timeline=timeline_of([action]),
        resolution=str(RESOLUTIONS.get(case.resolution, case.resolution)),
        service=service_note_of(action.target),
    )


def _candidates(latest: Observation) -> list[Candidate]:
    seen = [(one, True) for one in latest.objects_seen] + [(one, False) for one in latest.candidates]
    return [_candidate(one, ours=ours) for one, ours in seen if isinstance(one, dict)]


def _candidate(seen: dict[str, Any], *, ours: bool) -> Candidate:
    return Candidate(
        result_id=str(seen.get("result_id") or ""),
        url=web_address(str(seen.get("url") or "")),
        title=str(seen.get("title") or ""),
        status=str(seen.get("status") or ""),
        marker=str(seen.get("marker") or ""),
        created_at=str(seen.get("created_at") or ""),
        ours=ours,
    )
