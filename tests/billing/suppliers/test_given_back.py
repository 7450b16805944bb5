"""A line that nobody knew, and that its supplier gave back before anybody did."""

from __future__ import annotations

from decimal import Decimal

import pytest

from billing.models import CostEntry, DocumentKind, Usage
from billing.services.pull_usage import pull_usage
from tests.billing.deliveries import at
from tests.billing.suppliers.files import one
from tests.billing.suppliers.world import a_world, actions_for, an_attempt, imported, problems, statuses, used
from tests.billing.world import by

pytestmark = pytest.mark.django_db
CNY = {"currency": "CNY"}


def test_what_was_given_back_stops_no_pull() -> None:
    project, fal = a_world()
    imported(fal, one(**CNY), one(request_id="r-2", **CNY))
    imported(fal, one(amount="1.00", **CNY), kind=DocumentKind.CREDIT_NOTE, number="CN-1")
    for action, name in zip(actions_for(project, 2), ("r-1", "r-2"), strict=True):
        an_attempt(action, at(14, 9), used(name, amount="4.00", currency="CNY"))
    pull_usage(project=project, actor="pull")
    assert Usage.objects.count() == 2
    assert statuses() == ["orphan", "matched"]
    # its estimate is released all the same: the invoice has come
    assert by(project, "document__number") == {"INV-1": Decimal(8), "CN-1": Decimal(-1)}
    before = CostEntry.objects.count()
    pull_usage(project=project, actor="pull")
    assert CostEntry.objects.count() == before


def test_a_line_is_credited_by_digits_alone() -> None:
    _, fal = a_world()
    imported(fal, one(**CNY))
    note = {"kind": DocumentKind.CREDIT_NOTE, "number": "CN-1", "credits_number": "INV-1"}
    found = problems(fal, one(credits="²", **CNY), **note)
    assert [code for code, *_ in found] == ["unknown-credited-line"]
