"""The target has the last word (R11): what it holds against what the ledger says. Against the real sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from once_delivery.common.secrets import seal
from once_delivery.ledger.models import Batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.targets.models import Target
from once_delivery.targets.rest.profiles import ready_profile
from reconciliation.models import AuditStatus, Case, CaseKind, Finding
from reconciliation.services.audit_target import audit_target
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_project, actions_of

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

    assert presences(delivered) == ["present", "duplicate", "trashed", "missing", "changed", "present"]
    assert [action.result_id for action in actions_of(delivered)] == [
        one.result_id for one in (kept, twice, trashed, gone, renamed, other)
    ]
    assert audit.counts["findings"] == {"duplicate": 1, "trashed": 1, "missing": 1, "changed": 1, "orphan": 1}
    assert audit.counts["strangers"] == 2
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
