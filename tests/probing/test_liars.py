"""A target that is other than it claims: each lie is refuted, what follows from it follows, and nothing is left."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone, translation

from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services.plan_batch import plan_batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Probe, ProbeMarker
from once_delivery.targets.probing.extent import Extent
from once_delivery.targets.profile import Consistency, Guard
from once_delivery.targets.refutations import GuardRefutedError, kinds_held_back
from once_delivery.targets.selectors import claims_beside_measurements
from tests.builders import a_batch, a_delivery, the_action
from tests.probing.sandbox_target import SandboxTarget

pytestmark = pytest.mark.django_db(transaction=True)
FEW = Extent(rounds=1, looks=2, wait_s=0.6)


def a_draft_for(target: SandboxTarget) -> Batch:
    return a_batch(
        target.target.project,
        a_delivery(
            actions=(ActionRequest("cms", Kind.CREATE_DRAFT, "main", {"title": "Kettle", "body": "x"}),)
        ),
    )


def nothing_is_sent(target: SandboxTarget, batch: Batch) -> None:
    """And the plan says why, in both languages."""
    creates, held = target.creates(), target.held()
    resume_batch(batch=batch)
    assert (target.creates(), target.held()) == (creates, held)
    action = the_action(batch)
    assert (action.state, action.next_step) == (State.PLANNED, "perform")
    assert action.next_step_at is not None
    (step,) = plan_batch(batch=batch)
    assert (step.step.verb, step.step.reason) == ("wait", "guard-refuted")
    assert step.step.params["at"]
    for language, word in (("en", "newer probe"), ("zh-hans", "探测")):
        with translation.override(language):
            (step,) = plan_batch(batch=batch)
            assert word in step.reason


def it_is_delivered(target: SandboxTarget, batch: Batch) -> None:
    resume_batch(batch=batch, wait_s=10)
    assert the_action(batch).state == State.CONFIRMED
    assert [one["marker"] for one in target.held()] == [the_action(batch).marker]


def nothing_is_left(target: SandboxTarget) -> None:
    assert target.held() == []
    assert not ProbeMarker.objects.filter(closed_at=None).exists()


def test_own_ids_that_do_not_protect(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID, makes_second=True)
    batch = a_draft_for(target)
    measured = target.probe()
    assert {name for name, one in measured.items() if one.verdict == "refuted"} == {
        "guard",
        "second_create",
        "at_once",
        "other_content",
    }
    assert len(measured["second_create"].numbers["ids"]) == 2
    assert measured["at_once"].numbers["most"] == 8
    nothing_is_left(target)
    # the guard counts as what is left, and nothing is sent under it
    assert target.target.profile.guard == Guard.LOOKUP
    assert target.target.claimed_profile.guard == Guard.CLIENT_ID
    nothing_is_sent(target, batch)


def test_a_refuted_guard_is_not_stored_until_a_newer_probe_confirms_it(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID, makes_second=True)
    batch = a_draft_for(target)
    target.probe(FEW)
    with pytest.raises(GuardRefutedError) as caught:
        target.save(settle_s=2.0)
    assert caught.value.code == "guard-refuted"
    assert "client_id" in caught.value.message
    assert "made another object" in caught.value.message
    assert str(Probe.objects.get().started_at.year) in caught.value.message
    with translation.override("zh-hans"):
        assert "探测" in caught.value.message
    # another guard may be chosen: then it is sent
    target.save(guard="lookup", settle_s=1.0)
    assert target.target.refuted == {}
    assert kinds_held_back(target.target.pk) == []
    # and back again only when a probe of that claim has confirmed it
    with pytest.raises(GuardRefutedError):
        target.save(guard="client_id")
    target.becomes(makes_second=False)
    with pytest.raises(GuardRefutedError):
        target.save(guard="client_id")
    measured = target.probe(FEW, claimed={**target.profile, "guard": "client_id"})
    assert measured["guard"].verdict == "confirmed"
    target.save(guard="client_id")
    it_is_delivered(target, batch)


def test_a_newer_probe_lets_it_be_sent_again(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID, makes_second=True)
    batch = a_draft_for(target)
    target.probe(FEW)
    nothing_is_sent(target, batch)
    target.becomes(makes_second=False)
    nothing_is_sent(target, batch)
    assert target.probe(FEW)["guard"].verdict == "confirmed"
    assert target.target.refuted == {}
    it_is_delivered(target, batch)


def test_looking_goes_on_and_nothing_is_sent_again_under_a_refuted_guard(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID)
    batch = a_draft_for(target)
    admin.add_fault(target.space, "error_before", status=500, times=0)
    resume_batch(batch=batch)
    action = the_action(batch)
    assert action.state == State.UNCERTAIN
    admin.clear_faults(target.space)
    target.becomes(makes_second=True)
    target.probe(FEW)
    sent = [call["marker"] for call in admin.log(target.space, operation="create")].count(action.marker)
    Action.objects.filter(pk=action.pk).update(next_step="replay", next_step_at=timezone.now())
    looked = action.look_ups
    resume_batch(batch=batch, wait_s=1.0)
    after = Action.objects.get(pk=action.pk)
    assert (after.state, after.next_step) == (State.UNCERTAIN, "look_up")
    assert after.look_ups > looked
    assert after.next_step_at is not None
    again = [call["marker"] for call in admin.log(target.space, operation="create")].count(action.marker)
    assert again == sent > 0


def test_keys_that_are_forgotten_early(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.IDEMPOTENCY_KEY, idempotency_window_s=0.3)
    batch = a_draft_for(target)
    measured = target.probe()
    assert (measured["guard"].verdict, measured["window_s"].verdict) == ("confirmed", "refuted")
    assert measured["window_s"].numbers["honoured_s"] < measured["window_s"].numbers["forgotten_s"] < 0.7
    nothing_is_left(target)
    assert target.target.profile.guard == Guard.NONE
    nothing_is_sent(target, batch)
    with pytest.raises(GuardRefutedError):
        target.save(window_s=3600)


def test_keys_that_are_not_remembered_at_all(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.IDEMPOTENCY_KEY, idempotency_window_s=0)
    batch = a_draft_for(target)
    measured = target.probe()
    assert (measured["guard"].verdict, measured["second_create"].verdict) == ("refuted", "refuted")
    nothing_is_left(target)
    nothing_is_sent(target, batch)


@pytest.mark.parametrize(
    "claims", [{}, {"consistency": "bounded", "index_lag_s": 0.1}], ids=["strong", "bounded"]
)
def test_a_look_up_that_lags_longer_than_declared(admin: SandboxAdmin, claims: dict[str, Any]) -> None:
    """Absence proves nothing from then on; the guard stands, because what is there is found."""
    target = SandboxTarget(admin, Guard.LOOKUP, claims=claims, visibility_lag_s=0.5)
    measured = target.probe(Extent(rounds=0, looks=2, wait_s=2.0))
    assert measured["consistency"].verdict == "refuted"
    assert measured["consistency"].numbers["missed_s"] > 0.1
    assert measured["look_up"].verdict == measured["guard"].verdict == "confirmed"
    nothing_is_left(target)
    assert (target.target.profile.guard, target.target.profile.consistency) == (
        Guard.LOOKUP,
        Consistency.UNKNOWN,
    )
    assert kinds_held_back(target.target.pk) == []
    stands = {row.claim for row in claims_beside_measurements(target.target) if row.stands_refuted}
    assert "consistency" in stands
    # a longer lag is another claim
    target.save(consistency="bounded", index_lag_s=3.0)
    said = [target.target.profile.consistency]
    target.save(consistency="bounded", index_lag_s=0.1)
    said.append(target.target.profile.consistency)
    assert said == [Consistency.BOUNDED, Consistency.UNKNOWN]


def test_a_look_up_that_never_finds_it(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.LOOKUP, visibility_lag_s=3600)
    batch = a_draft_for(target)
    measured = target.probe()
    assert (measured["look_up"].verdict, measured["guard"].verdict) == ("refuted", "refuted")
    assert target.target.profile.look_up is False
    assert target.target.profile.guard == Guard.NONE
    assert target.held() == []  # by the IDs that were answered
    nothing_is_sent(target, batch)


def test_an_update_for_a_state_that_is_over(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID, ignores_if_match=True)
    measured = target.probe(FEW)
    assert (measured["update_existing"].verdict, measured["guard"].verdict) == ("refuted", "confirmed")
    nothing_is_left(target)
    assert kinds_held_back(target.target.pk) == [Kind.UPDATE_DRAFT]
    it_is_delivered(target, a_draft_for(target))


def test_drafts_that_are_published(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID, publishes_drafts=True)
    batch = a_draft_for(target)
    measured = target.probe(FEW)
    assert (measured["stays_draft"].verdict, measured["guard"].verdict) == ("refuted", "confirmed")
    nothing_is_left(target)
    assert target.target.profile.guard == Guard.CLIENT_ID
    nothing_is_sent(target, batch)


def test_a_look_up_that_errs_confirms_nothing(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID, look_up_status=500)
    measured = target.probe(FEW)
    said = {name: one.verdict for name, one in measured.items() if name != "deadline_s"}
    assert set(said.values()) == {"not_measured"}
    assert measured["look_up"].numbers["code"] == "http-500"
    assert target.target.refuted == {}
