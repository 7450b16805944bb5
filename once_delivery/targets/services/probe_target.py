"""Hold a target's profile against the target itself, with throw-away drafts that are removed again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.common.work_lock import Work, at_work
from once_delivery.targets.connecting import connected
from once_delivery.targets.models import Probe, ProbeStatus, Target
from once_delivery.targets.probe_notebook import Notebook, database_now
from once_delivery.targets.probing.experiments import claimed_of, run_all
from once_delivery.targets.probing.extent import Extent
from once_delivery.targets.probing.findings import Claim, Finding, NotMeasuredError, Verdict
from once_delivery.targets.probing.lab import Lab, Turns
from once_delivery.targets.probing.pace import Pace
from once_delivery.targets.probing.removing import Removal, forgotten, removed_is_gone
from once_delivery.targets.profile import Profile
from once_delivery.targets.refutations import settings_hash
from once_delivery.targets.services.clean_probes import clean_probe, clean_probes
from once_delivery.targets.services.judge_target import judge_target

logger = logging.getLogger(__name__)


class ProbeNotConfirmedError(DomainError):
    """A probe creates drafts: on a target that is not a test target somebody has to say so."""

    code = "not-a-test-target"
    template = gettext_noop(
        "“%(name)s” is not marked as a test target. A probe creates drafts there and removes them again; confirm that it may."
    )


def probe_target(
    *,
    target: Target,
    user: User | None = None,
    confirmed: bool = False,
    extent: Extent | None = None,
    claimed: Mapping[str, Any] | None = None,
    turns: Callable[[Profile], Turns] = Pace,
) -> Probe:
    """Afterwards every claim of the profile has a measurement, and what the probe made is removed or named.

    ``claimed``: another profile than the stored one, to be tested before it is stored. What earlier probes left is
    removed first. Raises ProbeNotConfirmedError, InvalidInputError for ``claimed``, or DomainError when the target's
    settings are not usable; a database error ends the probe, and ``clean_probes`` removes what it left.
    """
    if not (target.is_test or confirmed):
        raise ProbeNotConfirmedError(name=target.name)
    profile = Profile.from_json(claimed if claimed is not None else target.profile_data)
    clean_probes(target=target, turns=turns)
    probe = Probe.objects.create(
        target=target,
        profile_data=dict(claimed if claimed is not None else target.profile_data),
        settings_hash=settings_hash(target),
        kind=(extent or Extent()).kind,
        started_by=user,
        started_at=database_now(),
    )
    with at_work(Work.PROBE, probe.pk), connected(target) as connector:
        notebook = Notebook(probe, profile)
        lab = Lab(connector, profile, notebook, turns(profile), extent or Extent())
        status = ProbeStatus.BROKEN
        try:
            for finding in run_all(lab):
                with transaction.atomic():
                    notebook.measured(finding)
                    judge_target(target_id=target.pk)  # at once: a delivery may be due meanwhile
            status = ProbeStatus.FINISHED
        finally:
            _tidy_up(probe, lab, notebook, status)
    return probe


def _tidy_up(probe: Probe, lab: Lab, notebook: Notebook, status: ProbeStatus) -> None:
    removed = clean_probe(probe, lab)
    notebook.measured(_after_removal(lab, removed))
    Probe.objects.filter(pk=probe.pk).update(status=status, finished_at=database_now())
    probe.refresh_from_db()


def _after_removal(lab: Lab, removed: list[tuple[str, tuple[Removal, ...]]]) -> Finding:
    """What a look-up says of one draft that was removed."""
    seen, numbers = "nothing-removed", {}
    for marker, removals in removed:
        if not any(one.removed for one in removals):
            continue
        try:
            return removed_is_gone(lab, forgotten(marker, lab.extent.kind))
        except NotMeasuredError as error:
            seen, numbers = error.seen, error.numbers
            break
    return Finding(Claim.REMOVED, claimed_of(lab.profile, Claim.REMOVED), Verdict.NOT_MEASURED, seen, numbers)
