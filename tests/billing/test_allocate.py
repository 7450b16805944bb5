from __future__ import annotations

from decimal import Decimal

import pytest

from billing.models import AllocationRun, Bearer, Cause, CostEntry, EntryKind, SubBucket, Supplier, Terms
from billing.services.allocate import allocate
from billing.services.share_document import (
    CurrenciesDifferError,
    NotAnOrganisationsError,
    NothingToShareByError,
    share_document,
)
from once_delivery.accounts.models import Project
from once_delivery.targets.base import Outcome
from tests.billing.deliveries import at, delivered, sent, tasks_of
from tests.billing.test_periods import a_document
from tests.billing.world import SEPTEMBER, a_project_with_books, by, close, posted


def shares(project: Project) -> list[str]:
    return [str(amount.quantize(Decimal("0.01"))) for amount in by(project, "attempt").values()]


def test_what_is_shared_follows_the_sends_however_often_it_is_shared(project: Project) -> None:
    first, second = tasks_of(project, ("kettle", 1), ("pan", 1))
    posted(project, "100.00", sub_bucket=SubBucket.STORAGE)
    assert allocate(project=project, month=SEPTEMBER, actor="finance") == 0  # nothing was sent
    delivered(first, at(3))
    assert allocate(project=project, month=SEPTEMBER, actor="finance") == 4
    assert shares(project) == ["100.00"]
    delivered(second, at(4))
    sent(second.actions.get(), at(5), Outcome.UNKNOWN)
    sent(second.actions.get(), at(5), Outcome.NOT_SENT)  # not a byte left
    allocate(project=project, month=SEPTEMBER, actor="finance")
    assert shares(project) == ["33.33", "33.34", "33.33"]  # 33.33 and 66.67 to the tasks
    assert allocate(project=project, month=SEPTEMBER, actor="finance") == 0
    posted(project, "-0.05", kind=EntryKind.SUPPLIER_CREDIT, sub_bucket=SubBucket.STORAGE)
    allocate(project=project, month=SEPTEMBER, actor="finance")
    assert shares(project) == ["33.32", "33.32", "33.31"]
    assert by(project, "allocation_run") == {None: Decimal("99.95")}


def test_what_has_a_fault_and_manual_work_are_not_shared(project: Project) -> None:
    delivered(tasks_of(project, ("kettle", 1))[0], at(3))
    posted(project, "3.00", cause=Cause.PROVIDER_DOUBLE_BILL, bearer=Bearer.PROVIDER)
    posted(project, "2.00", kind=EntryKind.LABOUR, sub_bucket=SubBucket.RECOVERY)
    posted(project, "1.00", kind=EntryKind.FX_DIFF)
    assert allocate(project=project, month=SEPTEMBER, actor="finance") == 0


def test_after_the_close_a_share_is_a_correction_that_sums_to_nothing(project: Project) -> None:
    delivered(tasks_of(project, ("kettle", 1))[0], at(3))
    posted(project, "10.00")
    close(project, SEPTEMBER)
    assert allocate(project=project, month=SEPTEMBER, actor="finance") == 4
    assert set(
        CostEntry.objects.filter(allocation_run__isnull=False).values_list("correction", flat=True)
    ) == {True}
    assert by(project, "posted_period") == {SEPTEMBER: Decimal(10)}


def test_an_organisations_document_is_shared_once_by_the_sends(project: Project) -> None:
    other = a_project_with_books("borealis")
    supplier = Supplier.objects.create(project=None, code="platform", name="Platform", sub_bucket="platform")
    document = a_document(supplier, None, "1000.00")
    both = [project, other]
    with pytest.raises(NothingToShareByError):
        share_document(document=document, projects=both, actor="finance")
    given = {project.pk: Decimal(9), other.pk: Decimal(8)}
    assert share_document(document=document, projects=both, actor="finance", weights=given).posted == 2
    assert share_document(document=document, projects=both, actor="finance", weights=given).posted == 0
    assert [by(one, "bearer") for one in both] == [
        {"client": Decimal("529.41")},
        {"client": Decimal("470.59")},
    ]
    run = AllocationRun.objects.get()
    assert (run.total, run.weights) == (Decimal(1000), {str(project.pk): "9", str(other.pk): "8"})


def test_a_projects_own_document_is_not_shared_and_currencies_are_not_mixed(project: Project) -> None:
    own = Supplier.objects.create(project=project, code="fal", name="fal")
    with pytest.raises(NotAnOrganisationsError):
        share_document(document=a_document(own, project), projects=[project], actor="finance")
    yen = a_project_with_books("yen", currency="JPY")
    platform = Supplier.objects.create(project=None, code="platform", name="Platform")
    with pytest.raises(CurrenciesDifferError):
        share_document(
            document=a_document(platform, None),
            projects=[project, yen],
            actor="finance",
            weights={project.pk: Decimal(1), yen.pk: Decimal(1)},
        )


def test_a_share_of_an_organisations_document_is_borne_as_the_terms_say(project: Project) -> None:
    supplier = Supplier.objects.create(project=None, code="s3", name="S3", sub_bucket="storage")
    Terms.objects.create(
        project=project, number=2, valid_from=SEPTEMBER, currency="CNY", bearers={"normal": "vendor"}
    )
    given = {project.pk: Decimal(1)}
    share_document(document=a_document(supplier, None), projects=[project], actor="finance", weights=given)
    assert by(project, "bearer", "cause") == {("vendor", "normal"): 10}
