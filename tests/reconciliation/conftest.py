from __future__ import annotations

import pytest

from once_delivery.accounts.models import User
from once_delivery.ledger.models import Batch
from once_delivery.ledger.services.resume_batch import resume_batch
from reconciliation.models import Case
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_project, a_target, a_user
from tests.fakes.connector import FakeTarget, answer_lost
from tests.ledger.conftest import fake

__all__ = ["fake"]


@pytest.fixture
def ops() -> User:
    user = a_user("ops")
    User.objects.filter(pk=user.pk).update(email="ops@example.com", language="en")
    return User.objects.get(pk=user.pk)


@pytest.fixture
def batch(fake: FakeTarget, ops: User) -> Batch:
    """Three answers lost at a target that cannot be asked."""
    fake.scripted = [answer_lost] * 3
    project = a_project()
    a_target(project, guard="none", look_up=False)
    batch = a_batch(project, *(a_delivery(product) for product in ("kettle", "lamp", "mug")))
    resume_batch(batch=batch)
    open_cases()
    return batch


@pytest.fixture
def case(batch: Batch) -> Case:
    return Case.objects.order_by("pk")[0]
