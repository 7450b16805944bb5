"""Exactly what the probe made goes, and what cannot go is named (R6)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from once_delivery.common.work_lock import Work
from once_delivery.config.database import libpq
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Probe, ProbeMarker, ProbeObject, ProbeStatus
from once_delivery.targets.probe_notebook import Notebook, database_now
from once_delivery.targets.probing.drafts import TITLE, Draft, new_draft, new_marker
from once_delivery.targets.probing.extent import Extent
from once_delivery.targets.profile import Guard
from once_delivery.targets.refutations import settings_hash
from once_delivery.targets.selectors import left_at_target, open_markers
from once_delivery.targets.services.clean_probes import Cleaned, clean_probes
from tests.probing.sandbox_target import SandboxTarget

pytestmark = pytest.mark.django_db(transaction=True)
FEW = Extent(rounds=1, looks=2, wait_s=0.3)


def a_dead_probe(target: SandboxTarget) -> Notebook:
    """One whose process is gone."""
    probe = Probe.objects.create(
        target=target.target,
        profile_data=target.target.profile_data,
        settings_hash=settings_hash(target.target),
        started_at=database_now(),
    )
    return Notebook(probe, target.target.profile)


def it_intended(notebook: Notebook) -> Draft:
    draft = new_draft(Kind.CREATE_DRAFT, {})
    notebook.intend(draft, requests=1, seconds=0.0)
    return draft


def held_ids(target: SandboxTarget) -> set[str]:
    return {str(one["id"]) for one in target.held()}


def clean(target: SandboxTarget) -> Cleaned:
    return clean_probes(target=target.target)


def test_only_what_carries_a_marker_of_a_probe_goes(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.LOOKUP)
    draft = it_intended(a_dead_probe(target))
    ours = admin.make(target.space, "drafts", title="made", marker=draft.marker)
    strangers = [
        admin.make(target.space, "drafts", title=TITLE),
        admin.make(target.space, "drafts", title=TITLE, marker=new_marker()),
        admin.make(
            target.space, "drafts", title="ours, of a delivery", marker="once-abcdefghijklmnopqrstuvwxyz"
        ),
    ]
    assert clean(target).removed == 1
    assert held_ids(target) == {one["id"] for one in strangers}
    (gone,) = ProbeObject.objects.all()
    assert (gone.result_id, gone.removed_at is not None) == (ours["id"], True)
    assert Probe.objects.get().status == ProbeStatus.BROKEN


def test_one_that_an_editor_took_over_is_left(admin: SandboxAdmin) -> None:
    """Its ID was answered to us; that it is still ours it must show itself."""
    target = SandboxTarget(admin, Guard.LOOKUP, may_delete=False)
    target.probe(FEW)
    taken, marked = target.held()[0], target.held()[1]
    admin.edit(target.space, "drafts", str(taken["id"]), marker=None)
    admin.edit(target.space, "drafts", str(marked["id"]), marker="once-abcdefghijklmnopqrstuvwxyz")
    target.becomes(may_delete=True)
    clean(target)
    assert held_ids(target) == {taken["id"], marked["id"]}
    assert {row.result_id: row.why for row in left_at_target(target.target)} == {
        str(taken["id"]): "it does not show our marker, so it may be somebody else's",
        str(marked["id"]): "it carries another marker",
    }


def test_what_cannot_be_removed_is_named_with_its_link(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID, may_delete=False)
    measured = target.probe(FEW)
    assert (measured["guard"].verdict, measured["removed"].verdict) == ("confirmed", "not_measured")
    left = left_at_target(target.target)
    assert {row.result_id for row in left} == held_ids(target) != set()
    assert all(row.url.startswith("http") for row in left)
    assert {row.why for row in left} == {"http-403"}
    target.becomes(may_delete=True)
    # the next probe removes what the one before it had to leave
    target.probe(FEW)
    assert target.held() == []
    assert left_at_target(target.target) == []


def test_a_declaration_that_cannot_remove(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.LOOKUP)
    declaration: dict[str, Any] = {**target.declaration, "kinds": {**target.declaration["kinds"]}}
    draft = {**declaration["kinds"]["create_draft"]}
    del draft["remove"]
    declaration["kinds"]["create_draft"] = draft
    target.save(declaration=declaration)
    target.probe(FEW)
    assert {row.why for row in left_at_target(target.target)} == {"this kind of target cannot remove"}
    target.save()
    clean(target)
    assert target.held() == []


def test_a_target_that_shows_no_marker(admin: SandboxAdmin) -> None:
    """Nothing is confirmed by what does not show it, and nothing is removed."""
    target = SandboxTarget(admin, Guard.LOOKUP, echo_marker=False)
    measured = target.probe(FEW)
    assert {measured[name].verdict for name in ("look_up", "guard", "consistency")} == {"not_measured"}
    made = {str(one["marker"]) for one in target.held()}
    assert {row.marker for row in open_markers(target.target)} == made != set()
    target.becomes(echo_marker=True)
    clean(target)
    assert target.held() == []


def test_a_target_that_cannot_be_asked_now_is_cleaned_later(admin: SandboxAdmin) -> None:
    """Nothing is removed unseen."""
    target = SandboxTarget(admin, Guard.CLIENT_ID, look_up_status=500)
    target.probe(FEW)
    made = held_ids(target)
    assert made
    # of a request whose sender hung up no ID is known
    unnamed = {row.marker for row in open_markers(target.target)}
    named = {str(one["id"]) for one in target.held() if one["marker"] not in unnamed}
    assert {row.result_id for row in left_at_target(target.target)} == named != set()
    assert clean(target).removed == 0
    target.becomes(look_up_status=None)
    assert clean(target).removed == len(made)
    assert open_markers(target.target) == []
    assert target.held() == []


def test_what_may_still_arrive_stays_open(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.LOOKUP)
    draft = it_intended(a_dead_probe(target))
    cleaned = clean(target)
    assert (cleaned.removed, cleaned.open) == (0, 1)
    assert [row.marker for row in open_markers(target.target)] == [draft.marker]
    admin.make(target.space, "drafts", title="late", marker=draft.marker)
    assert clean(target).removed == 1
    # one request makes one object: it has come, so that nothing else can
    assert clean(target) == Cleaned()
    never = it_intended(a_dead_probe(target))
    assert clean(target).open == 1
    ProbeMarker.objects.filter(marker=never.marker).update(
        arrives_until=timezone.now() - timedelta(seconds=1)
    )
    assert clean(target) == Cleaned()
    assert target.held() == []


def test_without_a_look_up_the_list_is_read(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.LOOKUP)
    target.save(guard="none", look_up=False, consistency="unknown")
    draft = it_intended(a_dead_probe(target))
    admin.make(target.space, "drafts", title="made", marker=draft.marker)
    admin.make(target.space, "drafts", title="not ours")
    assert clean(target).removed == 1
    assert [one["title"] for one in target.held()] == ["not ours"]


def test_without_any_way_to_ask_only_known_ids_go(admin: SandboxAdmin) -> None:
    """And the rest is not called finished."""
    target = SandboxTarget(admin, Guard.NONE)
    draft = it_intended(a_dead_probe(target))
    admin.make(target.space, "drafts", title="made", marker=draft.marker)
    ProbeMarker.objects.update(arrives_until=timezone.now() - timedelta(seconds=1))
    cleaned = clean(target)
    assert (cleaned.removed, cleaned.open) == (0, 1)
    assert len(target.held()) == 1


def test_a_probe_at_work_is_left_alone(admin: SandboxAdmin) -> None:
    """Two sessions: the lock of the one keeps the other away."""

    target = SandboxTarget(admin, Guard.LOOKUP)
    draft = it_intended(a_dead_probe(target))
    admin.make(target.space, "drafts", title="made", marker=draft.marker)
    with psycopg.connect(libpq({**connection.settings_dict, "OPTIONS": {}}), autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s, %s)", [Work.PROBE.value, Probe.objects.get().pk])
        cleaned = clean(target)
        assert (cleaned.removed, cleaned.at_work) == (0, 1)
        assert Probe.objects.get().status == ProbeStatus.RUNNING
        assert len(target.held()) == 1
    assert clean(target).removed == 1
