"""A target that does what it claims: everything measurable is confirmed, and nothing is left behind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.base import EffectRequest, Kind
from once_delivery.targets.connecting import connected
from once_delivery.targets.models import Probe, ProbeMarker, ProbeObject, Target
from once_delivery.targets.probing.drafts import TITLE
from once_delivery.targets.probing.extent import Extent
from once_delivery.targets.profile import Consistency, Guard
from once_delivery.targets.selectors import claims_beside_measurements, left_at_target
from once_delivery.targets.services import probe_target as service
from tests.probing.sandbox_target import SandboxTarget

pytestmark = pytest.mark.django_db(transaction=True)

# what no probe can prove, or what this kind of target does not tell
NEVER = {"settle_s", "cannot_publish"}
NOT_BY = {
    Guard.CLIENT_ID: set[str](),
    Guard.LOOKUP: set[str](),
    Guard.IDEMPOTENCY_KEY: {"removed"},
    Guard.NONE: {"removed"},
}
# short enough that a key's window can be waited for
SHORT: dict[str, Any] = {"deadline_s": 0.8, "window_s": 4.2}


@pytest.mark.parametrize("guard", list(Guard), ids=str)
def test_all_is_confirmed_and_nothing_is_left(admin: SandboxAdmin, guard: Guard) -> None:
    claims = SHORT if guard == Guard.IDEMPOTENCY_KEY else {}
    target = SandboxTarget(admin, guard, claims=claims)
    admin.make(target.space, "drafts", title=TITLE, marker="once-abcdefghijklmnopqrstuvwxyz")
    before = target.held()
    measured = target.probe(Extent(rounds=2, looks=3, wait_s=0.8))
    unproven = NEVER | NOT_BY[guard]
    assert {name: one.verdict for name, one in measured.items() if name not in unproven} == {
        name: "confirmed" for name in measured if name not in unproven
    }
    assert {measured[name].verdict for name in unproven} == {"not_measured"}
    assert target.creates() > 0
    assert target.held() == before
    assert left_at_target(target.target) == []
    assert not ProbeMarker.objects.filter(closed_at=None).exists()
    assert target.target.refuted == {}
    assert target.target.profile == target.target.claimed_profile


def test_eight_at_once_make_one(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID)
    measured = target.probe()
    assert (measured["guard"].verdict, measured["at_once"].verdict) == ("confirmed", "confirmed")
    assert measured["at_once"].numbers == {
        "rounds": 2,
        "at_once": 8,
        "most": 1,
        "by": ["list", "look_up"],
    }
    assert measured["other_content"].seen == "other-refused"


def test_the_profiles_limits_hold_for_a_probe(admin: SandboxAdmin) -> None:
    """Three at once, and no more than the rate lets through."""
    target = SandboxTarget(admin, Guard.CLIENT_ID, claims={"concurrency": 3, "rate_per_s": 10})
    begun = time.monotonic()
    measured = target.probe(Extent(rounds=1, looks=1, wait_s=0.2))
    took = time.monotonic() - begun
    assert measured["at_once"].numbers["at_once"] == 3
    # the list and the connection test are the operator's own reads, as everywhere
    counted = len(
        [call for call in admin.log(target.space) if call["operation"] in {"create", "update", "remove"}]
    )
    assert counted > 12
    assert took > (counted - 10) / 10
    alone = SandboxTarget(admin, Guard.CLIENT_ID, claims={"concurrency": 1})
    measured = alone.probe(Extent(rounds=1, looks=1, wait_s=0.2))
    assert (measured["at_once"].verdict, measured["guard"].verdict) == ("not_measured", "not_measured")
    assert measured["at_once"].seen == "one-at-a-time"


def test_rows_are_committed_before_a_request_leaves(
    admin: SandboxAdmin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R1: another session sees the row at the moment of sending."""
    target = SandboxTarget(admin, Guard.CLIENT_ID)
    seen: list[tuple[bool, bool]] = []

    @contextmanager
    def spying(one: Target) -> Iterator[Any]:
        with connected(one) as connector:
            perform = connector.perform

            def spy(request: EffectRequest) -> Any:
                marker = request.original.marker if request.original else request.marker
                there = ProbeMarker.objects.filter(marker=marker, closed_at=None).exists()
                seen.append((there, connection.in_atomic_block))
                return perform(request)

            monkeypatch.setattr(connector, "perform", spy)
            yield connector

    monkeypatch.setattr(service, "connected", spying)
    target.probe(Extent(rounds=0, looks=1, wait_s=0.2))
    assert len(seen) > 5
    assert set(seen) == {(True, False)}


def test_a_lag_within_what_is_declared(admin: SandboxAdmin) -> None:
    claims = {"consistency": "bounded", "index_lag_s": 1.0}
    target = SandboxTarget(admin, Guard.LOOKUP, claims=claims, visibility_lag_s=0.4)
    measured = target.probe()
    assert (measured["index_lag_s"].verdict, measured["consistency"].verdict) == ("confirmed", "confirmed")
    assert 0.3 < measured["index_lag_s"].numbers["lag_s"] < 1.0
    assert target.target.profile.consistency == Consistency.BOUNDED
    assert target.held() == []


def test_what_is_made_says_what_it_is(admin: SandboxAdmin) -> None:
    """An editor who meets one can read it, whichever of the two languages is theirs."""
    target = SandboxTarget(admin, Guard.LOOKUP, may_delete=False)
    target.probe(Extent(rounds=0, looks=1, wait_s=0.2))
    titles = {str(one["title"]) for one in target.held()}
    assert titles
    assert all("throw-away draft" in title and "临时草稿" in title for title in titles)


def test_claimed_stands_beside_measured(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID)
    assert {row.word for row in claims_beside_measurements(target.target)} == {"not measured"}
    target.probe()
    rows = {str(row.claim): row for row in claims_beside_measurements(target.target)}
    assert (rows["guard"].claimed, rows["guard"].verdict) == ("client_id", "confirmed")
    assert rows["deadline_s"].claimed == "3"
    assert "create_p95_s" in (rows["deadline_s"].numbers or {})
    assert all(row.measured and row.when for row in rows.values())
    target.save(deadline_s=20.0)
    rows = {str(row.claim): row for row in claims_beside_measurements(target.target)}
    assert (rows["deadline_s"].claimed, rows["deadline_s"].claimed_then) == ("20", "3")


def test_a_file_instead_of_a_draft(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID)
    measured = target.probe(Extent(kind=Kind.UPLOAD_FILE, rounds=1, looks=1, wait_s=0.2))
    assert measured["guard"].verdict == "confirmed"
    assert (measured["stays_draft"].seen, Probe.objects.get().kind) == (
        "only-drafts-are-drafts",
        "upload_file",
    )
    assert {call["kind"] for call in admin.log(target.space, operation="create")} == {"uploads"}
    assert target.held() == []


def test_a_request_that_lands_after_its_sender_hung_up(admin: SandboxAdmin) -> None:
    """A lower bound of the settle time, and no more than that."""
    target = SandboxTarget(admin, Guard.LOOKUP, claims={"settle_s": 20.0})
    admin.add_fault(target.space, "slow", times=0, seconds=0.1)
    measured = target.probe(Extent(rounds=0, looks=2, wait_s=1.0))
    assert (measured["settle_s"].verdict, measured["settle_s"].seen) == ("not_measured", "landed-late")
    assert 0 <= measured["settle_s"].numbers["landed_s"] <= measured["settle_s"].numbers["seen_s"] < 1
    assert target.held() == []
    assert not ProbeMarker.objects.filter(closed_at=None).exists()


def test_evidence_is_kept(admin: SandboxAdmin) -> None:
    """R10, by PostgreSQL itself."""
    target = SandboxTarget(admin, Guard.LOOKUP)
    target.probe(Extent(rounds=0, looks=1, wait_s=0.2))
    measurement = Probe.objects.get().measurements.get(claim="guard")
    measurement.verdict = "refuted"
    for change in (
        measurement.save,
        measurement.delete,
        ProbeObject.objects.all()[0].delete,
        ProbeMarker.objects.all()[0].delete,
        lambda: ProbeMarker.objects.update(marker="once-another"),
        lambda: Probe.objects.update(profile_data={}),
    ):
        with pytest.raises(Exception, match=r"append_only|protected"):
            change()
    assert Probe.objects.get().measurements.get(claim="guard").verdict == "confirmed"
