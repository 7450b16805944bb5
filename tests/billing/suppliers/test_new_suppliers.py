"""Names that people type: two that are two to a reader stay two, and one that is typed twice stays one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from threading import Barrier

import pytest
from django.db import connection

from billing.models import PlatformFee, SentDocument, SubBucket, Supplier, SupplierDocument
from billing.services.import_document import FileKnownError
from billing.services.pull_platform_fees import pull_platform_fees
from billing.services.save_platform_fee import NotAFeeError, save_platform_fee
from billing.services.send_document import import_sent, send_document
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import InvalidInputError
from tests.billing.suppliers.files import a_file, one
from tests.billing.world import a_keeper, a_project_with_books, by

FORM = {
    "supplier": "+",
    "sub_bucket": "generation",
    "kind": "invoice",
    "number": "INV-1",
    "dated": "2026-09-30",
}
BILL = a_file(one(currency="CNY"))


def sent(project: Project, user: User, name: str, *, data: bytes = BILL, **said: str) -> SentDocument:
    typed = FORM | {"supplier_name": name, "tax_treatment": "none"} | said
    return send_document(project=project, user=user, typed=typed, data=data, file_name="bill.csv")


@pytest.mark.django_db
def test_names_with_the_same_latin_part_are_two_suppliers() -> None:
    project = a_project_with_books()
    keeper = a_keeper(project)
    import_sent(sent=sent(project, keeper, "阿里云 AI"), user=keeper)
    other = a_file(one(currency="CNY", request_id="r-2", amount="7.00"))
    import_sent(sent=sent(project, keeper, "腾讯云 AI", data=other, sub_bucket="storage"), user=keeper)
    kept = Supplier.objects.order_by("pk").values_list("name", "code", "sub_bucket")
    assert list(kept) == [("阿里云 AI", "阿里云-ai", "generation"), ("腾讯云 AI", "腾讯云-ai", "storage")]
    assert not SupplierDocument.objects.filter(supplement__gt=0).exists()


@pytest.mark.django_db
def test_a_supplier_is_found_by_the_code_that_somebody_chose() -> None:
    """Its usage is told under that code."""
    project = a_project_with_books()
    known = Supplier.objects.create(project=project, code="fal", name="fal.ai", sub_bucket="generation")
    keeper = a_keeper(project)
    assert [sent(project, keeper, name).supplier for name in ("fal", "Fal.AI")] == [known, known]


@pytest.mark.django_db
@pytest.mark.parametrize("names", [("C++", "C#"), ("★", "☆"), ("fal.ai", "falai"), ("A" * 60, "A" * 61)])
def test_names_that_come_to_one_code_are_two_suppliers(names: tuple[str, str]) -> None:
    project = a_project_with_books()
    keeper = a_keeper(project)
    first, second = (sent(project, keeper, name).supplier for name in names)
    assert first != second
    assert second.code.endswith("-2")
    assert len(second.code) <= 50


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("first", "again"), [("通义万相", " 通义万相 "), ("阿里云 AI", "阿里云 ai"), ("Fal", "FAL")]
)
def test_a_name_that_is_typed_again_is_the_same_supplier(first: str, again: str) -> None:
    project = a_project_with_books()
    keeper = a_keeper(project)
    import_sent(sent=sent(project, keeper, first), user=keeper)
    second = sent(project, keeper, again, number="INV-2")
    assert Supplier.objects.get() == second.supplier
    with pytest.raises(FileKnownError):
        import_sent(sent=second, user=keeper)
    assert by(project, "document__number") == {"INV-1": Decimal(4)}


@pytest.mark.django_db
def test_a_name_is_that_of_a_supplier_of_this_project_alone() -> None:
    project, other = a_project_with_books(), a_project_with_books("borealis")
    keeper = a_keeper(project)
    Supplier.objects.create(project=other, code="x", name="通义万相")
    Supplier.objects.create(project=None, code="x", name="通义万相")
    assert sent(project, keeper, "通义万相").supplier.project == project


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("names", "count"), [(("通义万相", "通义万相"), 1), (("通义万相", "文心一格"), 2)])
def test_two_people_at_once(names: tuple[str, str], count: int) -> None:
    project = a_project_with_books()
    people = [a_keeper(project, "first"), a_keeper(project, "second")]
    start = Barrier(2)

    def act(index: int) -> SentDocument:
        try:
            start.wait()
            return sent(project, people[index], names[index])
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(act, range(2)))
    assert [one.supplier.name for one in done] == list(names)
    assert Supplier.objects.count() == count


def a_fee(project: Project, user: User, code: str, sub_bucket: SubBucket, amount: str = "10") -> PlatformFee:
    return save_platform_fee(
        project=project,
        user=user,
        code=code,
        sub_bucket=sub_bucket,
        per=PlatformFee.Per.MONTH,
        amount=Decimal(amount),
        currency="CNY",
        valid_from=date(2026, 9, 1),
    )


@pytest.mark.django_db
def test_fees_with_the_same_latin_part_are_both_charged() -> None:
    project = a_project_with_books()
    keeper = a_keeper(project)
    a_fee(project, keeper, "平台费 2026", SubBucket.PLATFORM, "9")
    a_fee(project, keeper, "平台费 2026", SubBucket.PLATFORM, "10")  # a new version of it
    a_fee(project, keeper, "编排费 2026", SubBucket.ORCHESTRATION, "2")
    pull_platform_fees(project=project)
    found = by(project, "description")
    assert {"平台费-2026", "编排费-2026"} <= set(found)
    assert found["平台费-2026"] == 5 * found["编排费-2026"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "code"),
    [("Platform fee", "platform-fee"), ("Gebühr_1", "gebuhr_1"), ("Straße", "straße"), ("A1", "a1")],
)
def test_a_code_is_plain_where_no_letter_is_lost(typed: str, code: str) -> None:
    project = a_project_with_books()
    assert a_fee(project, a_keeper(project), typed, SubBucket.PLATFORM).code == code


@pytest.mark.django_db
@pytest.mark.parametrize("typed", ["平台费 1.5", "fee+", "fee (A)"])
def test_a_code_that_would_lose_a_sign_is_refused_at_its_field(typed: str) -> None:
    project = a_project_with_books()
    keeper = a_keeper(project)
    with pytest.raises(InvalidInputError) as refused:
        a_fee(project, keeper, typed, SubBucket.PLATFORM)
    assert [(one.code, one.column) for one in refused.value.problems] == [("bad-code", "code")]
    with pytest.raises(NotAFeeError):
        a_fee(project, keeper, " - ", SubBucket.PLATFORM)
