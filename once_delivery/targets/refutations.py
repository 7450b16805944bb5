"""What stands refuted of a target, and what that forbids (``probing/standing.py`` has the rule)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Measurement, Target
from once_delivery.targets.probing.findings import Claim, Finding, Verdict
from once_delivery.targets.probing.standing import Measured, Refutation, forbids, standing, stopped_by
from once_delivery.targets.probing.wording import said_at, seen_sentence
from once_delivery.targets.profile import Profile


class GuardRefutedError(DomainError):
    """A probe has seen that the target does not protect as this profile says."""

    code = "guard-refuted"
    template = gettext_noop(
        "The guard “%(guard)s” is refused. The probe of %(at)s saw: %(seen)s It is allowed again when a newer probe confirms it."
    )


class _InReadersWords:
    """Said in the language of whoever reads the error."""

    def __init__(self, say: Callable[[], str]) -> None:
        self._say = say

    def __str__(self) -> str:
        return self._say()


def settings_hash(target: Target) -> str:
    """Where and how the target is asked: what was measured there need not hold elsewhere."""
    said = json.dumps([target.kind, target.base_url, target.declaration], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


def standing_refutations(target: Target, profile: Profile) -> tuple[Refutation, ...]:
    """The claims of ``profile`` that stand refuted at ``target``, from everything that was ever measured there."""
    if target.pk is None:
        return ()
    rows = Measurement.objects.filter(probe__target=target).select_related("probe").order_by("at", "pk")
    history = [
        Measured(
            finding=Finding(Claim(row.claim), row.claimed, Verdict(row.verdict), row.seen, row.numbers),
            at=row.at,
            settings=row.probe.settings_hash,
            kind=Kind(row.probe.kind),
        )
        for row in rows
    ]
    return standing(profile, history, settings_hash(target))


def refuted_guards(target: Target, profile: Profile) -> tuple[Refutation, ...]:
    """Those because of which ``profile`` is not stored."""
    return tuple(one for one in standing_refutations(target, profile) if forbids(one.claim))


def refuse_refuted(target: Target, profile: Profile) -> None:
    """Raise GuardRefutedError when the guard of ``profile`` stands refuted at ``target``."""
    for one in refuted_guards(target, profile):
        raise GuardRefutedError(
            guard=str(profile.guard),
            at=_InReadersWords(partial(said_at, one.at)),
            seen=_InReadersWords(partial(seen_sentence, one.seen, one.numbers)),
        )


def held_back(target: Target, kind: Kind) -> Refutation | None:
    """Because of which nothing of ``kind`` is sent at ``target`` now; read from its row, without a query."""
    claim = stopped_by(kind, map(Claim, target.refuted))
    return _kept(claim, target.refuted[claim]) if claim else None


def kinds_held_back(target_id: int) -> list[Kind]:
    """The kinds of which nothing is sent at the target now."""
    refuted = Target.objects.values_list("refuted", flat=True).get(pk=target_id)
    claims = [Claim(name) for name in refuted]
    return [kind for kind in Kind if claims and stopped_by(kind, claims)]


def as_kept(refuted: tuple[Refutation, ...]) -> dict[str, Any]:
    """For ``Target.refuted``."""
    return {
        one.claim: {
            "claimed": one.claimed,
            "seen": one.seen,
            "numbers": dict(one.numbers),
            "at": one.at.isoformat(),
        }
        for one in refuted
    }


def _kept(claim: Claim, data: Mapping[str, Any]) -> Refutation:
    at = datetime.fromisoformat(data["at"])
    return Refutation(claim, data["claimed"], data["seen"], at, data["numbers"])
