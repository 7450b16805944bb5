from __future__ import annotations

import pytest
from django.core.management import call_command

from billing.models import CostEntry, LineMatch, UnitEntry
from billing.services.seed_demo_costs import seed_demo_costs
from billing.services.verify_costs import verify_costs
from once_delivery.accounts.models import Membership, Project, Role
from once_delivery.ledger.services import work_target
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.review.services import fetch_draft
from tests.billing.world import by
from tests.builders import a_batch, a_delivery, a_project, a_target, a_user
from tests.fakes.connected import connect
from tests.fakes.connector import FakeTarget, lost_before


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> Project:
    """Ten drafts were delivered, one of them at the second try."""
    connect(monkeypatch, FakeTarget(scripted=[lost_before]), work_target, fetch_draft)
    project = a_project("demo")
    for name, role in (("finance", Role.FINANCE), ("marketing", Role.MARKETING_LEAD)):
        Membership.objects.create(project=project, user=a_user(name), role=role)
    a_target(project)
    batch = a_batch(project, *(a_delivery(f"product-{number}") for number in range(10)))
    resume_batch(batch=batch, wait_s=10)
    return project


def test_the_demo_has_a_month_of_costs_that_add_up(demo: Project) -> None:
    assert seed_demo_costs(project=demo)
    assert UnitEntry.objects.filter(project=demo).count() == 6
    assert set(by(demo, "bucket")) == {"P", "T"}
    assert set(by(demo, "bearer")) == {"client", "vendor", "provider", "undetermined"}
    assert LineMatch.objects.filter(status="orphan").count() == 1
    assert verify_costs(project=demo).broken == ()
    before = CostEntry.objects.count()
    call_command("seed_demo_costs", "demo")
    assert CostEntry.objects.count() == before
