from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from billing.models import Bearer, Books, Cause, CostEntry, EntryKind, SubBucket
from billing.refusals import PostingRefusedError
from billing.services.accrue import NegativeAccrualError, accrue
from billing.services.give_up_claim import ClaimSettledError, NoClaimError, give_up_claim
from billing.services.post_entries import post_entries
from billing.services.release_accrual import release_accrual, releases
from billing.services.reverse_entry import reverse_entry
from billing.services.transfer_bearer import NeverClientError, NotTransferableError, transfer_bearer
from billing.standing import Stand, corrected, with_transfers
from billing.two_people import SecondPersonNeededError
from once_delivery.accounts.models import Project, User
from tests.billing.world import (
    NOVEMBER,
    OCTOBER,
    SEPTEMBER,
    a_cost,
    a_keeper,
    by,
    close,
    posted,
)


def test_another_bearer_changes_no_total(project: Project, finance: User) -> None:
    entry = posted(project)
    transfer_bearer(entry=entry, bearer=Bearer.VENDOR, user=finance, words="agreed")
    again = transfer_bearer(entry=entry, bearer=Bearer.VENDOR, user=finance, words="agreed")
    assert (again.posted, by(project, "bearer")) == (0, {"vendor": Decimal(4)})
    assert by(project, "kind", "bearer") == {
        ("charge", "client"): Decimal(4),
        ("bearer_transfer", "client"): Decimal(-4),
        ("bearer_transfer", "vendor"): Decimal(4),
    }
    with pytest.raises(NotTransferableError):
        transfer_bearer(
            entry=CostEntry.objects.get(seq=3), bearer=Bearer.CLIENT, user=finance, words="no cost itself"
        )


def test_the_client_never_bears_the_vendors_fault(project: Project, finance: User) -> None:
    entry = posted(project, cause=Cause.VENDOR_FAULT, bearer=Bearer.VENDOR)
    with pytest.raises(NeverClientError):
        transfer_bearer(entry=entry, bearer=Bearer.CLIENT, user=finance, words="no")


def test_much_money_takes_two_people(project: Project, finance: User) -> None:
    entry = posted(project, "1000.01")
    for second in (None, finance):
        with pytest.raises(SecondPersonNeededError):
            transfer_bearer(entry=entry, bearer=Bearer.VENDOR, user=finance, words="big", second=second)
    transfer_bearer(
        entry=entry, bearer=Bearer.VENDOR, user=finance, words="big", second=a_keeper(project, "controller")
    )
    assert by(project, "bearer") == {"vendor": Decimal("1000.01")}


def test_a_claim_that_is_given_up_is_the_vendors(project: Project, finance: User) -> None:
    entry = posted(project, cause=Cause.PROVIDER_DOUBLE_BILL, bearer=Bearer.PROVIDER)
    give_up_claim(entry=entry, user=finance, words="the provider refuses")
    assert by(project, "bearer", "cause") == {("vendor", "provider_double_bill"): Decimal(4)}
    with pytest.raises(NoClaimError):
        give_up_claim(entry=entry, user=finance, words="again")
    with pytest.raises(NoClaimError):
        give_up_claim(entry=posted(project), user=finance, words="the client's")
    assert ClaimSettledError.code == "claim-settled"


def test_another_cause_is_a_reversal_and_a_new_charge_that_names_what_it_corrects(project: Project) -> None:
    entry = posted(project)
    to = Stand(Cause.VENDOR_FAULT, Bearer.VENDOR)
    (standing,) = with_transfers([entry])
    new = post_entries(entries=corrected(standing, to), actor="finance").entries()
    assert [(one.kind, one.amount) for one in new] == [("reversal", Decimal(-4)), ("charge", Decimal(4))]
    assert new[1].corrects_id == entry.pk
    (anew,) = with_transfers([new[1]])
    assert corrected(anew, to) == []
    assert by(project, "cause", "bearer") == {("vendor_fault", "vendor"): Decimal(4)}


def test_what_was_transferred_goes_back_before_it_is_reversed(project: Project, finance: User) -> None:
    entry = posted(project)
    transfer_bearer(entry=entry, bearer=Bearer.VENDOR, user=finance, words="agreed")
    reverse_entry(entry=entry, user=finance, words="a mistake")
    assert by(project, "bearer") == {}
    with pytest.raises(PostingRefusedError) as refused:
        reverse_entry(entry=entry, user=finance, words="again")
    assert refused.value.code == "reversed-already"
    with pytest.raises(PostingRefusedError) as refused:
        reverse_entry(entry=CostEntry.objects.get(kind="reversal"), user=finance, words="of a reversal")
    assert refused.value.code == "not-reversible"


ACCRUED: dict[str, Any] = {
    "sub_bucket": SubBucket.GENERATION,
    "currency": "CNY",
    "words": "the invoice has not come",
}


def test_an_estimate_is_released_in_full_once_in_an_open_month(project: Project, finance: User) -> None:
    accrual = (
        accrue(project=project, user=finance, used_on=SEPTEMBER, amount=Decimal("45.00"), **ACCRUED)
        .entries()
        .get()
    )
    actual = a_cost(project, "47.30")
    post_entries(entries=[*releases([accrual]), actual], actor="finance")
    assert release_accrual(accruals=[accrual], actor="finance").posted == 0
    assert by(project, "posted_period") == {SEPTEMBER: Decimal("47.30")}
    with pytest.raises(PostingRefusedError) as refused:
        post_entries(
            entries=[a_cost(project, "-45.00", kind=EntryKind.ACCRUAL_RELEASE, reverses_id=accrual.pk)],
            actor="finance",
        )
    assert refused.value.code == "reversed-already"
    with pytest.raises(NegativeAccrualError):
        accrue(project=project, user=finance, used_on=SEPTEMBER, amount=Decimal(-1), **ACCRUED)


def test_after_the_close_the_difference_is_a_correction_of_the_next_month(
    project: Project, finance: User
) -> None:
    accrual = (
        accrue(project=project, user=finance, used_on=SEPTEMBER, amount=Decimal("45.00"), **ACCRUED)
        .entries()
        .get()
    )
    close(project, SEPTEMBER)
    post_entries(entries=[*releases([accrual]), a_cost(project, "47.30")], actor="finance")
    assert by(project, "posted_period") == {SEPTEMBER: Decimal("45.00"), OCTOBER: Decimal("2.30")}
    assert by(project, "posted_period", correction=True) == {OCTOBER: Decimal("2.30")}
    assert by(project, "origin_period") == {SEPTEMBER: Decimal("47.30")}


def test_a_bearer_changed_after_the_close_is_posted_later_with_its_origin(
    project: Project, finance: User
) -> None:
    entry = posted(project)
    close(project, SEPTEMBER)
    close(project, OCTOBER)
    transfer_bearer(entry=entry, bearer=Bearer.VENDOR, user=finance, words="agreed")
    assert by(project, "posted_period", "bearer") == {
        (SEPTEMBER, "client"): Decimal(4),
        (NOVEMBER, "client"): Decimal(-4),
        (NOVEMBER, "vendor"): Decimal(4),
    }
    assert by(project, "origin_period", "bearer") == {(SEPTEMBER, "vendor"): Decimal(4)}


def test_who_keeps_no_books_moves_nothing(project: Project) -> None:
    entry = posted(project)
    with pytest.raises(Exception, match="not-finance"):
        reverse_entry(entry=entry, user=project.default_owner, words="no")
    assert Books.objects.count() == 1
