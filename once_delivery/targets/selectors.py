"""What is claimed of a target, beside what was measured; and what probes have left there. For pages and commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from once_delivery.targets.models import Measurement, ProbeMarker, ProbeObject, Target
from once_delivery.targets.probing.experiments import asked_of, claimed_of
from once_delivery.targets.probing.findings import Claim, Verdict
from once_delivery.targets.probing.wording import CLAIMS, VERDICTS, left_sentence, seen_sentence
from once_delivery.targets.profile_words import claim_words


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim of the stored profile. ``claimed_then``: what the probe was told, when that was another value.

    ``stands_refuted``: something follows from it now (nothing is sent, or absence proves nothing).
    """

    claim: Claim
    name: str
    claimed: str
    verdict: Verdict
    word: str
    measured: str
    when: datetime | None
    claimed_then: str = ""
    stands_refuted: bool = False
    numbers: Mapping[str, Any] | None = None

    @property
    def says(self) -> str:
        """What is claimed, in words."""
        return claim_words(self.claim, self.claimed)

    @property
    def said_then(self) -> str:
        """What the probe was told, in words."""
        return claim_words(self.claim, self.claimed_then) if self.claimed_then else ""


@dataclass(frozen=True, slots=True)
class LeftRow:
    """Something that a probe made and could not remove."""

    kind: str
    result_id: str
    url: str
    marker: str
    why: str
    seen_at: datetime


def claims_beside_measurements(target: Target) -> list[ClaimRow]:
    """A row for each claim of the stored profile, in the order of ``Claim``, with its latest measurement."""
    profile = target.claimed_profile
    latest: dict[str, Measurement] = {}
    for one in Measurement.objects.filter(probe__target=target).order_by("at", "pk"):
        latest[one.claim] = one
    return [
        _row(target, claim, claimed_of(profile, claim), latest.get(claim))
        for claim in Claim
        if claim in asked_of(profile)
    ]


def _row(target: Target, claim: Claim, claimed: str, one: Measurement | None) -> ClaimRow:
    verdict = Verdict(one.verdict) if one else Verdict.NOT_MEASURED
    return ClaimRow(
        claim=claim,
        name=str(CLAIMS[claim]),
        claimed=claimed,
        verdict=verdict,
        word=str(VERDICTS[verdict]),
        measured=seen_sentence(one.seen, one.numbers) if one else "",
        when=one.at if one else None,
        claimed_then=one.claimed if one and one.claimed != claimed else "",
        stands_refuted=claim in target.refuted,
        numbers=one.numbers if one else None,
    )


def left_at_target(target: Target) -> list[LeftRow]:
    """Every object of a probe that is not known to be removed, oldest first."""
    rows = ProbeObject.objects.filter(marker__probe__target=target, removed_at=None).select_related("marker")
    return [
        LeftRow(
            kind=row.marker.kind,
            result_id=row.result_id,
            url=row.url,
            marker=row.marker.marker,
            why=left_sentence(row.why_left),
            seen_at=row.seen_at,
        )
        for row in rows.order_by("seen_at", "pk")
    ]


def open_markers(target: Target) -> list[ProbeMarker]:
    """Identities of probes of which nothing is known to be there, and something may yet come."""
    return list(
        ProbeMarker.objects.filter(probe__target=target, closed_at=None)
        .exclude(pk__in=ProbeObject.objects.filter(removed_at=None).values("marker"))
        .order_by("pk")
    )
