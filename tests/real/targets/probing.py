"""``manage.py probe_target`` on a real system, as an operator runs it: the default profile stands, nothing is left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from once_delivery.targets.base import Kind
from once_delivery.targets.models import Probe, ProbeMarker, Target
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.selectors import left_at_target
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_project
from tests.real.targets.system import RealSystem

# what a probe may find of an honest system; a claim that is not named here must be confirmed
_OPEN = {
    "settle_s": {"not_measured"},  # cannot be proven from outside
    "window_s": {"not_measured", "confirmed"},  # days cannot be waited for
    "deadline_s": {"confirmed", "doubtful"},  # a busy machine is slow
    "cannot_publish": {"confirmed", "not_measured"},  # not every system lets one ask
    "stays_draft": {"confirmed", "not_measured"},  # not every system has statuses
    "update_existing": {"confirmed", "not_measured"},  # nor updates
}


@pytest.mark.django_db(transaction=True)
class Probing:
    """A test module inherits it and names the system. ``refuted_claims``: what that system really does not hold."""

    refuted_claims: frozenset[str] = frozenset()

    @pytest.fixture
    def probed(self, system: RealSystem) -> Target:
        way = system.connection()
        return save_target(
            project=a_project(),
            name="cms",
            kind=system.kind,
            base_url=way.base_url,
            declaration=way.declaration,
            profile={**default_profiles(system.kind)[system.guard].numbers, "settle_s": 20},
            credentials=way.credentials,
            allow_inside=True,
            is_test=True,
        )

    def test_the_probe(self, system: RealSystem, probed: Target, tmp_path: Path) -> None:
        code = self._run(system, probed, tmp_path / "payload.json")
        measured = {one.claim: one for one in Probe.objects.get().measurements.all()}
        wrong = {
            name: (one.verdict, one.seen, one.numbers)
            for name, one in measured.items()
            if one.verdict not in self._expected(name)
        }
        assert wrong == {}
        assert (measured["guard"].verdict, measured["guard"].claimed) == (
            "refuted" if "guard" in self.refuted_claims else "confirmed",
            system.guard,
        )
        assert code == (1 if self.refuted_claims else 0)
        self._nothing_is_left(system, probed)

    def _expected(self, name: str) -> set[str]:
        return {"refuted"} if name in self.refuted_claims else _OPEN.get(name, {"confirmed"})

    def _run(self, system: RealSystem, probed: Target, file: Path) -> int:
        """Its exit code. What this system needs besides a title and a text is given as an operator gives it."""
        kind = Kind.CREATE_DRAFT if Kind.CREATE_DRAFT in system.kinds else system.kinds[0]
        needed = system.payload(kind, "Needed")
        file.write_text(json.dumps({name: needed[name] for name in needed.keys() - {"title", "body", "alt"}}))
        try:
            call_command("probe_target", probed.project.code, probed.name, wait=3.0, kind=kind, payload=file)
        except SystemExit as end:
            return int(str(end.code))
        return 0

    def _nothing_is_left(self, system: RealSystem, probed: Target) -> None:
        """By the system's own storage, marker by marker."""
        assert left_at_target(probed) == []
        markers = ProbeMarker.objects.all()
        assert len(markers) > 5
        assert {row.marker: system.held(Kind(row.kind), row.marker) for row in markers} == {
            row.marker: [] for row in markers
        }
