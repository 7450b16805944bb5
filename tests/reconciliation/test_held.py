"""R13: what a probe holds back at a target is somebody's, until it may be sent."""

from __future__ import annotations

import pytest

from once_delivery.accounts.models import User
from once_delivery.ledger.models import Action
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.targets.models import Target
from reconciliation.decisions import possible
from reconciliation.models import Case, CaseKind, CaseStatus
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_project, a_target
from tests.fakes.connector import FakeTarget
from tests.reconciliation.given import told

pytestmark = pytest.mark.django_db(transaction=True)
REFUTED = {
    "guard": {"claimed": "lookup", "seen": "second-made", "numbers": {}, "at": "2026-01-01T00:00:00+00:00"}
}


def test_one_case_a_target_until_it_may_be_sent(fake: FakeTarget, ops: User) -> None:
    project = a_project()
    target = a_target(project)
    batch = a_batch(project, a_delivery("kettle"), a_delivery("lamp"))
    Target.objects.filter(pk=target.pk).update(refuted=REFUTED)
    resume_batch(batch=batch)
    assert (open_cases(), open_cases()) == (1, 0)
    case = Case.objects.get()
    assert (case.kind, case.reason, case.owner) == (CaseKind.HELD, "held-back", ops)
    assert possible(case) == []
    assert told() == [("case.opened", "ops@example.com")]
    # the first is closed: the next one that waits has the case
    Action.objects.filter(pk=case.action_id).update(next_step="person")
    assert open_cases() == 2  # one for the person's, one for what is held
    assert Case.objects.filter(kind=CaseKind.HELD, status=CaseStatus.OPEN).count() == 1
    Target.objects.filter(pk=target.pk).update(refuted={})
    open_cases()
    assert not Case.objects.filter(kind=CaseKind.HELD, status=CaseStatus.OPEN).exists()
    assert fake.creates == []
