"""How far a worker is, is seen from outside of what it has not committed."""

from __future__ import annotations

from datetime import date

import pytest

from billing.models import SentDocument, SentWork, SupplierLine
from billing.services.work_on_sent import ask_work, do_work
from once_delivery.ledger.clock import database_now
from tests.billing.suppliers.large import a_large_bill
from tests.billing.suppliers.world import a_world
from tests.billing.world import a_keeper

pytestmark = pytest.mark.django_db(transaction=True)


def test_steps_are_kept_while_the_work_is_not_committed() -> None:
    project, fal = a_world()
    finance = a_keeper(project)
    sent = SentDocument.objects.create(
        project=project,
        supplier=fal,
        kind="invoice",
        number="INV-1",
        dated=date(2026, 9, 30),
        data=a_large_bill(1_500)[0],
        file_name="bill.csv",
        sent_by=finance,
        sent_at=database_now(),
    )
    for work, steps in ((SentWork.TRY, 4_000), (SentWork.IMPORT, 4_000)):
        assert ask_work(sent=sent, user=finance, work=work)
        assert not ask_work(sent=sent, user=finance, work=work)
        do_work(sent_id=sent.pk)
        sent.refresh_from_db()
        assert (sent.steps, sent.steps_total, sent.under_way) == (steps, 4_500, False)
    assert sent.document is not None
    assert SupplierLine.objects.count() == 1_500
