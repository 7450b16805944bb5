"""One target: how it is reached, what is claimed beside what was measured, what came back of late."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from once_delivery.common.errors import InvalidInputError
from once_delivery.drill.models import Drill
from once_delivery.ledger.models import Lane
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Errand, Probe, Target
from once_delivery.targets.probing.forecast import Forecast, forecast
from once_delivery.targets.probing.standing import Refutation
from once_delivery.targets.probing.wording import CLAIMS, seen_sentence
from once_delivery.targets.profile_words import LABELS, value_words
from once_delivery.targets.reasons import reasons_of
from once_delivery.targets.refutations import held_back
from once_delivery.targets.selectors import ClaimRow, LeftRow, claims_beside_measurements, left_at_target
from once_delivery.web.selectors.errands import ErrandNow, errands_now
from once_delivery.web.selectors.service_note import service_note_of
from once_delivery.web.selectors.targets import (
    DAY,
    WEEK,
    Breaker,
    Outcomes,
    breakers_of,
    host_of,
    outcomes_of,
)
from once_delivery.web.wording import guard_words
from reconciliation.models import Audit

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Number:
    """One number of the profile: its name, its value in words, and the reason of the default for it."""

    label: str
    value: str
    why: str


@dataclass(frozen=True, slots=True)
class Held:
    """Because of what nothing is sent, since when."""

    claim: str
    seen: str
    since: datetime


@dataclass(frozen=True, slots=True)
class TargetNow:
    """What the page of a target shows. ``broken``: why its profile cannot be read, else empty."""

    target: Target
    host: str
    guard: str
    guard_sentence: str
    evidence: str
    numbers: list[Number]
    claims: list[ClaimRow]
    held: Held | None
    breaker: Breaker
    day: Outcomes
    week: Outcomes
    lanes_held: int
    errands: dict[str, ErrandNow]
    probes: list[Probe]
    audits: list[Audit]
    drills: list[Drill]
    left: list[LeftRow]
    broken: str

    @property
    def with_reasons(self) -> bool:
        return any(one.why for one in self.numbers)

    @property
    def running(self) -> bool:
        return any(not one.errand.is_over for one in self.errands.values())


def target_now(target: Target) -> TargetNow:
    """Read it; a number of queries that does not grow with what is there."""
    claims, broken = _claims(target)
    guard, sentence = guard_words(str(target.profile_data.get("guard", "")))
    return TargetNow(
        target=target,
        host=host_of(target),
        guard=guard,
        guard_sentence=sentence,
        evidence=evidence_of(target),
        numbers=numbers_of(target),
        claims=claims,
        held=_held(held_back(target, Kind.CREATE_DRAFT)),
        breaker=breakers_of([target.pk]).get(target.pk, Breaker()),
        day=outcomes_of(target, DAY),
        week=outcomes_of(target, WEEK),
        lanes_held=Lane.objects.filter(target=target, holder__isnull=False).count(),
        errands=errands_now(target),
        probes=list(Probe.objects.filter(target=target).select_related("started_by").order_by("-pk")[:SHOWN]),
        audits=list(Audit.objects.filter(target=target).order_by("-started_at")[:SHOWN]),
        drills=list(_drills_at(target)[:SHOWN]),
        left=left_at_target(target),
        broken=broken,
    )


def _drills_at(target: Target) -> QuerySet[Drill]:
    """Those that were asked for at it, the newest first."""
    asked = Drill.objects.filter(project=target.project_id, options__target=str(target.uuid))
    return asked.select_related("started_by").defer("report").order_by("-started_at")


def _claims(target: Target) -> tuple[list[ClaimRow], str]:
    try:
        return claims_beside_measurements(target), ""
    except InvalidInputError as error:
        return [], error.message


def _held(refutation: Refutation | None) -> Held | None:
    if refutation is None:
        return None
    return Held(
        str(CLAIMS[refutation.claim]), seen_sentence(refutation.seen, refutation.numbers), refutation.at
    )


def evidence_of(target: Target) -> str:
    """On what the settings rest: ``simulated``, ``documentation``, or "" when they are not labelled."""
    note = service_note_of(target)
    if note is not None:
        return "simulated" if note.simulated else ""
    return "documentation" if target.declaration.get("evidence") == "documentation" else ""


def numbers_of(target: Target) -> list[Number]:
    """What the stored profile says, in the order of ``LABELS``, each with the default's reason."""
    why = reasons_of(target.kind, target.declaration, str(target.profile_data.get("guard", "")))
    return [
        Number(str(label), value_words(name, target.profile_data[name]), str(why.get(name, "")))
        for name, (label, _help) in LABELS.items()
        if name in target.profile_data
    ]


def probe_forecast(target: Target) -> Forecast | None:
    """What a probe makes at most; None when the profile cannot be read."""
    try:
        return forecast(target.claimed_profile)
    except InvalidInputError:
        return None


def open_errand(target: Target, kind: str) -> Errand | None:
    return Errand.objects.filter(target=target, kind=kind, status__in=("asked", "running")).first()
