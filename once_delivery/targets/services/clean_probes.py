"""Remove what probes made and left: those objects, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from once_delivery.common.work_lock import Work, at_work
from once_delivery.targets.base import FoundObject, Kind
from once_delivery.targets.connecting import connected
from once_delivery.targets.models import Probe, ProbeMarker, ProbeStatus, Target
from once_delivery.targets.probe_notebook import Notebook, database_now, note_removal
from once_delivery.targets.probing.lab import Lab, Turns
from once_delivery.targets.probing.pace import Pace
from once_delivery.targets.probing.removing import Removal, clear, forgotten
from once_delivery.targets.profile import Profile


@dataclass(frozen=True, slots=True)
class Cleaned:
    """``removed``: objects. ``open``: identities of which something is left or may still come, until ``arrives_until``."""

    removed: int = 0
    open: int = 0
    arrives_until: datetime | None = None
    at_work: int = 0  # probes that run now; theirs is left alone


def clean_probes(*, target: Target, turns: Callable[[Profile], Turns] = Pace) -> Cleaned:
    """Afterwards nothing is left at the target that a probe made, as far as the target can be asked and allows it.

    Raises DomainError when the target's settings are not usable.
    """
    left = list(
        Probe.objects.filter(target=target, markers__closed_at=None, markers__isnull=False).distinct()
    )
    left += list(
        Probe.objects.filter(target=target, status=ProbeStatus.RUNNING).exclude(
            pk__in=[one.pk for one in left]
        )
    )
    removed = running = 0
    if left:
        with connected(target) as connector:
            for probe in sorted(left, key=lambda one: one.pk):
                with at_work(Work.PROBE, probe.pk) as mine:
                    if not mine:
                        running += 1
                        continue
                    profile = Profile.from_json(probe.profile_data)
                    lab = Lab(connector, profile, Notebook(probe, profile), turns(profile))
                    removed += sum(one.removed for _, removals in clean_probe(probe, lab) for one in removals)
                    _end(probe)
    still = ProbeMarker.objects.filter(probe__target=target, closed_at=None)
    newest = still.order_by("-arrives_until").first()
    return Cleaned(removed, still.count(), newest.arrives_until if newest else None, running)


def _end(probe: Probe) -> None:
    """A probe that was killed did not finish."""
    Probe.objects.filter(pk=probe.pk, status=ProbeStatus.RUNNING).update(
        status=ProbeStatus.BROKEN, finished_at=database_now()
    )


def clean_probe(probe: Probe, lab: Lab) -> list[tuple[str, tuple[Removal, ...]]]:
    """Remove what one probe made; returns what became of it, by marker."""
    rows = list(ProbeMarker.objects.filter(probe=probe, closed_at=None).order_by("pk"))
    listed: dict[str, list[FoundObject] | None] = {}
    done = []
    for row in rows:
        kind = Kind(row.kind)
        if not lab.profile.look_up and row.kind not in listed:
            listed[row.kind] = lab.inventory(kind)  # the only way to find what was made without an answer
        known = {one.result_id: one.url for one in row.objects_made.filter(removed_at=None)}
        cleared = clear(lab, forgotten(row.marker, kind), known, listed.get(row.kind))
        note_removal(row, cleared)
        done.append((row.marker, cleared.removals))
    return done
