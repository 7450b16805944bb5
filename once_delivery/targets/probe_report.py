"""One probe as lines of text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from once_delivery.targets.base import Kind
from once_delivery.targets.models import Measurement, Probe, Target
from once_delivery.targets.probing.findings import Claim, Verdict
from once_delivery.targets.probing.wording import CLAIMS, VERDICTS, said_at, seen_sentence
from once_delivery.targets.refutations import held_back
from once_delivery.targets.selectors import LeftRow, left_at_target, open_markers
from once_delivery.targets.services.clean_probes import Cleaned

_MAY_ARRIVE = _lazy(
    "A request for %(marker)s may still arrive until %(at)s; run it again with --clean after that."
)
_CANNOT_BE_FOUND = _lazy(
    "What became of %(marker)s is not known; run it again with --clean when the target can be asked."
)


@dataclass(frozen=True, slots=True)
class Said:
    """The same for people and for programs."""

    lines: list[str]
    document: dict[str, Any]


def lines(probe: Probe) -> list[str]:
    """Each claim beside what was measured, then what is left and what follows."""
    said = [
        _("Probe of “%(target)s”, %(at)s") % {"target": probe.target.name, "at": said_at(probe.started_at)},
        "",
    ]
    for one in _in_order(probe):
        verdict, claim = VERDICTS[Verdict(one.verdict)], CLAIMS[Claim(one.claim)]
        claimed = f" [{one.claimed}]" if one.claimed else ""
        said.append(f"{verdict}: {claim}{claimed}")
        said.append(f"    {seen_sentence(one.seen, one.numbers)}")
    said += ["", *_left_lines(left_at_target(probe.target)), *_open_lines(probe.target)]
    target = Target.objects.get(pk=probe.target_id)
    held = held_back(target, Kind.CREATE_DRAFT) or held_back(target, Kind.UPDATE_DRAFT)
    if held is not None:
        what = CLAIMS[held.claim]
        said.append(_("Refused from now on, until a newer probe confirms it: %(claim)s.") % {"claim": what})
    return said


def as_json(probe: Probe) -> dict[str, Any]:
    """``{probe, target, status, started_at, finished_at, profile, measurements: […], left: […], open: […]}``."""
    return {
        "probe": str(probe.uuid),
        "target": probe.target.name,
        "status": probe.status,
        "started_at": probe.started_at.isoformat(),
        "finished_at": probe.finished_at.isoformat() if probe.finished_at else None,
        "profile": probe.profile_data,
        "measurements": [
            {
                "claim": one.claim,
                "claimed": one.claimed,
                "verdict": one.verdict,
                "seen": one.seen,
                "sentence": seen_sentence(one.seen, one.numbers),
                "numbers": one.numbers,
                "at": one.at.isoformat(),
            }
            for one in _in_order(probe)
        ],
        "left": _left_json(left_at_target(probe.target)),
        "open": _open_json(probe.target),
    }


def clean_lines(target: Target, cleaned: Cleaned) -> Said:
    """What a clean-up did, and what is left after it."""
    left = left_at_target(target)
    said = [_("%(count)s objects of earlier probes were removed.") % {"count": cleaned.removed}]
    if cleaned.at_work:
        said.append(_("%(count)s probes are at work now; theirs is left alone.") % {"count": cleaned.at_work})
    said += [*_left_lines(left), *_open_lines(target)]
    document = {
        "removed": cleaned.removed,
        "at_work": cleaned.at_work,
        "left": _left_json(left),
        "open": _open_json(target),
    }
    return Said(said, document)


def _in_order(probe: Probe) -> list[Measurement]:
    order = list(Claim)
    return sorted(probe.measurements.all(), key=lambda one: order.index(Claim(one.claim)))


def _left_lines(left: list[LeftRow]) -> list[str]:
    if not left:
        return [_("Nothing that a probe made is known to be left.")]
    said = [_("Left at the target; please delete them there:")]
    return said + [f"    {one.kind} {one.result_id} {one.url} ({one.why})".replace("  ", " ") for one in left]


def _left_json(left: list[LeftRow]) -> list[dict[str, str]]:
    return [
        {"kind": one.kind, "id": one.result_id, "url": one.url, "marker": one.marker, "why": one.why}
        for one in left
    ]


def _open_lines(target: Target) -> list[str]:
    now = timezone.now()
    return [
        (_MAY_ARRIVE if row.arrives_until > now else _CANNOT_BE_FOUND)
        % {"marker": row.marker, "at": said_at(row.arrives_until)}
        for row in open_markers(target)
    ]


def _open_json(target: Target) -> list[dict[str, str]]:
    return [
        {"marker": row.marker, "arrives_until": row.arrives_until.isoformat()} for row in open_markers(target)
    ]
