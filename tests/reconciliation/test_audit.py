"""The target has the last word (R11): what it holds against what the ledger says. Against the real sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection
from django.db.models import F

from once_delivery.common.secrets import seal
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Batch, Run, RunStatus
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.services.settle_duplicate import NoDuplicateError, settle_duplicate
from once_delivery.ledger.services.work_target import work_target
from once_delivery.ledger.states import State
from once_delivery.ledger.transitions import Actor
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.targets.models import Probe, ProbeMarker, Target
from once_delivery.targets.rest.profiles import ready_profile
from reconciliation.decisions import Decision
from reconciliation.models import Audit, AuditStatus, Case, CaseKind, Finding, FindingKind
from reconciliation.services import audit_target as auditing
from reconciliation.services.audit_target import (
    OVERLAP,
    AuditRunningError,
    NoAuditBeforeError,
    _alone,
    audit_target,
)
from reconciliation.services.decide_case import decide_case
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_project, a_user, actions_of

pytestmark = pytest.mark.django_db(transaction=True)
SPACE = "audited"


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxAdmin]:
    with SandboxProcess(Path(tmp_path_factory.mktemp("sandbox"))) as process:
        yield process.admin


@pytest.fixture
def target(sandbox: SandboxAdmin) -> Target:
    if SPACE in {one["space"] for one in sandbox.spaces()}:
        sandbox.delete_space(SPACE)
    space = sandbox.put_space(SPACE)
    ready = ready_profile("sandbox", "lookup")
    return Target.objects.create(
        project=a_project(),
        name="cms",
        kind="rest",
        base_url=sandbox.content_url(SPACE),
        declaration=ready.declaration,
        profile_data={**ready.profile, "deadline_s": 2.0, "settle_s": 0.5},
        credentials_sealed=seal({"token": space["token"]}),
        allow_inside=True,
    )


@pytest.fixture
def delivered(target: Target) -> Batch:
    products = ("kettle", "lamp", "chair", "table", "clock", "mug")
    batch = a_batch(target.project, *(a_delivery(product) for product in products))
    resume_batch(batch=batch, wait_s=5)
    assert {action.state for action in actions_of(batch)} == {State.CONFIRMED}
    return batch


def presences(batch: Batch) -> list[str]:
    return [action.presence for action in actions_of(batch)]


def test_what_matches_is_present_and_nothing_is_found(target: Target, delivered: Batch) -> None:
    audit = audit_target(target=target)

    assert (audit.status, audit.counts["matched"], audit.counts["findings"]) == (AuditStatus.COMPLETE, 6, {})
    assert presences(delivered) == ["present"] * 6


def test_every_kind_of_difference_is_a_finding_and_the_ids_stay(
    target: Target, delivered: Batch, sandbox: SandboxAdmin
) -> None:
    """R6, R7: shown, not repaired; nothing is created or deleted."""
    kept, twice, trashed, gone, renamed, other = actions_of(delivered)
    sandbox.make(SPACE, "drafts", title="by hand", marker=twice.marker)
    sandbox.trash(SPACE, "drafts", trashed.result_id)
    sandbox.delete(SPACE, "drafts", gone.result_id)
    sandbox.edit(SPACE, "drafts", renamed.result_id, marker=None)
    sandbox.edit(SPACE, "drafts", other.result_id, title="edited")
    sandbox.make(SPACE, "drafts", title="orphan", marker="once-" + "a" * 26)
    sandbox.make(SPACE, "drafts", title="stranger")
    calls = len(sandbox.log(SPACE, operation="create"))

    audit = audit_target(target=target)
    open_cases()

    assert presences(delivered) == ["present", "duplicate", "trashed", "missing", "changed", "changed"]
    assert [action.result_id for action in actions_of(delivered)] == [
        one.result_id for one in (kept, twice, trashed, gone, renamed, other)
    ]
    assert audit.counts["findings"] == {"duplicate": 1, "trashed": 1, "missing": 1, "changed": 2, "orphan": 1}
    assert audit.counts["strangers"] == 2
    changed = Finding.objects.filter(kind=FindingKind.CHANGED).values_list("action_id", "evidence__what")
    assert sorted(changed) == sorted([(renamed.pk, "marker"), (other.pk, "content")])
    assert len(sandbox.log(SPACE, operation="create")) == calls
    assert list(Case.objects.values_list("action_id", "kind", "owner__username")) == [
        (twice.pk, CaseKind.DUPLICATE, "ops")
    ]


def test_a_second_audit_finds_nothing_new(target: Target, delivered: Batch, sandbox: SandboxAdmin) -> None:
    sandbox.delete(SPACE, "drafts", actions_of(delivered)[0].result_id)
    audit_target(target=target)

    again = audit_target(target=target)

    assert (Finding.objects.count(), again.counts["findings"]) == (1, {})


def test_an_audit_that_is_cut_short_says_nothing_is_missing(
    target: Target, delivered: Batch, sandbox: SandboxAdmin
) -> None:
    """R5"""
    sandbox.put_space(SPACE, look_up_status=500, token=sandbox.get_space(SPACE)["token"])

    audit = audit_target(target=target)

    assert (audit.status, bool(audit.code)) == (AuditStatus.CUT, True)
    assert presences(delivered) == ["unchecked"] * 6
    assert Finding.objects.count() == 0


def test_what_is_not_so_any_more_is_over(target: Target, delivered: Batch, sandbox: SandboxAdmin) -> None:
    first = actions_of(delivered)[0]
    sandbox.trash(SPACE, "drafts", first.result_id)
    orphan = sandbox.make(SPACE, "drafts", title="orphan", marker="once-" + "a" * 26)
    audit_target(target=target)
    assert still_found() == {FindingKind.TRASHED, FindingKind.ORPHAN}

    sandbox.delete(SPACE, "drafts", first.result_id)
    sandbox.delete(SPACE, "drafts", orphan["id"])
    audit = audit_target(target=target)

    assert (still_found(), audit.counts["findings"]) == ({FindingKind.MISSING}, {"missing": 1})
    # and an orphan is found again when it happens again
    sandbox.make(SPACE, "drafts", title="orphan", marker="once-" + "a" * 26)
    assert audit_target(target=target).counts["findings"] == {"orphan": 1}


def test_the_drafts_of_a_probe_are_no_orphans(target: Target, sandbox: SandboxAdmin) -> None:
    probe = Probe.objects.create(target=target, profile_data={}, settings_hash="", started_at=database_now())
    marker = "once-probe" + "b" * 21
    sandbox.make(SPACE, "drafts", title="of a probe", marker=marker)
    assert audit_target(target=target).counts["findings"] == {"orphan": 1}
    Finding.objects.all().delete()
    now = database_now()
    ProbeMarker.objects.create(
        probe=probe, marker=marker, kind="create_draft", intended_at=now, arrives_until=now
    )
    assert audit_target(target=target).counts["findings"] == {}


def still_found() -> set[str]:
    return set(Finding.objects.filter(over_at__isnull=True).values_list("kind", flat=True))


def test_a_duplicate_is_over_when_a_person_says_so_and_the_target_agrees(
    target: Target, delivered: Batch, sandbox: SandboxAdmin
) -> None:
    twice = actions_of(delivered)[1]
    second = sandbox.make(SPACE, "drafts", title="by hand", marker=twice.marker)
    audit_target(target=target)
    open_cases()
    user = a_user("ops")

    decide_case(case=Case.objects.get(), decision=Decision.SETTLE, user=user)
    work_target(target_id=target.pk, actor=Actor("test"))
    open_cases()
    # two are still there
    assert presences(delivered)[1] == "duplicate"
    (case,) = Case.objects.filter(status="open")

    sandbox.delete(SPACE, "drafts", second["id"])
    decide_case(case=case, decision=Decision.SETTLE, user=user)
    work_target(target_id=target.pk, actor=Actor("test"))
    audit_target(target=target)
    open_cases()
    assert presences(delivered)[1] == "present"
    assert Case.objects.filter(status="open").count() == 0
    assert Finding.objects.filter(over_at__isnull=True).count() == 0


def test_only_a_duplicate_is_settled(target: Target, delivered: Batch) -> None:
    action = actions_of(delivered)[0]
    with pytest.raises(NoDuplicateError):
        settle_duplicate(action=action, user=a_user())


def test_changes_alone(target: Target, delivered: Batch, sandbox: SandboxAdmin) -> None:
    """What was not changed is not listed, and is not said to be missing."""
    with pytest.raises(NoAuditBeforeError):
        audit_target(target=target, changes=True)
    audit_target(target=target)
    Audit.objects.update(started_at=F("started_at") + OVERLAP)  # as if it had been long ago
    _kept, twice, _trashed, gone, _renamed, other = actions_of(delivered)
    sandbox.delete(SPACE, "drafts", gone.result_id)
    sandbox.edit(SPACE, "drafts", other.result_id, title="edited")
    sandbox.make(SPACE, "drafts", title="by hand", marker=twice.marker)

    audit = audit_target(target=target, changes=True)

    assert (audit.status, audit.scope) == (AuditStatus.COMPLETE, "changes")
    assert audit.counts["objects"] == 2
    assert presences(delivered)[5] == "changed"
    assert presences(delivered)[3] == "present"  # a list of changes does not tell it
    # the second one was seen without the first: the target is asked how many there are
    work_target(target_id=target.pk, actor=Actor("test"))
    assert presences(delivered)[1] == "duplicate"


def test_one_audit_of_a_target_at_a_time(target: Target, delivered: Batch) -> None:
    def audit_meanwhile() -> str:
        try:
            audit_target(target=target)
        except AuditRunningError as error:
            return error.code
        finally:
            connection.close()
        return ""

    with _alone(target), ThreadPoolExecutor(1) as pool:
        assert pool.submit(audit_meanwhile).result() == "audit-running"
    assert audit_target(target=target).status == AuditStatus.COMPLETE


def test_what_was_interrupted_says_so(target: Target, delivered: Batch) -> None:
    dead = audit_target(target=target)
    Audit.objects.filter(pk=dead.pk).update(status=AuditStatus.RUNNING)
    audit_target(target=target)
    dead.refresh_from_db()
    assert (dead.status, dead.code) == (AuditStatus.CUT, "interrupted")


def test_what_was_listed_and_not_concluded_from_is_no_complete_audit(
    target: Target, delivered: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(auditing, "conclude", broken)
        with pytest.raises(RuntimeError):
            audit_target(target=target)
    audit = Audit.objects.select_related("run").get()
    assert (audit.status, audit.run.status) == (AuditStatus.CUT, RunStatus.FAILED)
    with pytest.raises(NoAuditBeforeError):
        audit_target(target=target, changes=True)
    assert not Run.objects.filter(status=RunStatus.RUNNING, kind="audit").exists()
    counts = audit_target(
        target=target, go_on=True
    ).counts  # nothing of the list was dropped by what was refused
    assert (counts["matched"], counts["findings"]) == (6, {})
