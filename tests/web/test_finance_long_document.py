"""A long file of a supplier: a worker tries and imports it, the page shows how far it is and survives a reload."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import psycopg
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client as Browser

from billing import tasks
from billing.models import SentDocument, SentStatus, SentWork, SupplierDocument, SupplierLine
from billing.services import send_document as sending
from billing.services import work_on_sent as working
from billing.services.make_export import GIVEN_UP_AFTER
from billing.services.open_books import open_books
from billing.services.work_on_sent import ask_work, do_work, unfinished_work
from once_delivery.accounts.models import Membership, Role
from once_delivery.common.work_lock import Work
from once_delivery.config.database import libpq
from once_delivery.ledger.clock import database_now
from tests.web.conftest import World, signed_in

PAGE = "/finance/aurora/documents/"
FORM = {
    "supplier": "+",
    "supplier_name": "fal",
    "sub_bucket": "generation",
    "kind": "invoice",
    "number": "INV-1",
    "dated": "2026-09-30",
    "tax_treatment": "recoverable",
}


@pytest.fixture
def keeper(world: World) -> Browser:
    open_books(project=world.project, since=date(2026, 9, 1))
    return signed_in(world.people[Role.FINANCE])


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Whom a page woke; the tests do the work when they mean to. Every file is a long one."""
    told: list[int] = []
    monkeypatch.setattr(tasks.work_on_sent, "delay", told.append)
    monkeypatch.setattr(working, "LONG", 10)
    return told


def send(browser: Browser, **said: Any) -> str:
    rows = "".join(f"2026-09-03,r-{number},4.00,CNY\n" for number in range(3))
    file = SimpleUploadedFile("bill.csv", f"Date,Request ID,Amount,Currency\n{rows}".encode())
    answer = browser.post(PAGE, FORM | said | {"file": file})
    assert answer.status_code == 302
    return str(answer["Location"])


def test_a_long_file_is_tried_and_imported_by_a_worker(keeper: Browser, woken: list[int]) -> None:
    page = send(keeper)
    sent = SentDocument.objects.get()
    assert woken == [sent.pk]
    for _ in range(2):  # a reload shows the same
        assert "It is being tried" in keeper.get(page).content.decode()
    part = keeper.get(page, headers={"hx-request": "true"}).content.decode().strip()
    assert part.startswith("<section")
    assert not SupplierDocument.objects.exists()

    do_work(sent_id=sent.pk)
    assert keeper.get(page, headers={"hx-request": "true"})["HX-Refresh"] == "true"
    shown = keeper.get(page).content.decode()
    assert "Import 3 lines" in shown
    assert "12.00" in shown

    for _ in range(3):  # clicks
        assert keeper.post(page, {"act": "import"})["Location"] == page
    assert woken == [sent.pk] * 2
    assert "It is being imported" in keeper.get(page).content.decode()
    for _ in range(2):
        do_work(sent_id=sent.pk)
    document = SupplierDocument.objects.get()
    assert SupplierLine.objects.count() == 3
    assert keeper.get(page)["Location"] == f"{PAGE}{document.uuid}/"
    assert "is not imported yet" not in keeper.get(PAGE).content.decode()
    sent.refresh_from_db()
    assert bytes(sent.data) == b""


def test_the_same_file_again_adds_nothing_and_leads_to_what_it_became(
    keeper: Browser, woken: list[int]
) -> None:
    for number in range(2):
        page = send(keeper, **({"supplier": "fal"} if number else {}))
        do_work(sent_id=woken[-1])
        keeper.post(page, {"act": "import"})
        do_work(sent_id=woken[-1])
        assert keeper.get(page)["Location"] == f"{PAGE}{SupplierDocument.objects.get().uuid}/"
    assert SupplierLine.objects.count() == 3


def test_what_stands_in_the_way_is_told_at_its_row(keeper: Browser, woken: list[int]) -> None:
    page = send(keeper, total="13.00")
    do_work(sent_id=woken[0])
    answer = keeper.get(page)
    assert answer.status_code == 200
    assert "The lines sum to 12 CNY, the document says 13" in answer.content.decode()


def test_who_may_no_longer_keep_the_books_imports_nothing(
    keeper: Browser, woken: list[int], world: World
) -> None:
    send(keeper)
    do_work(sent_id=woken[0])
    sent = SentDocument.objects.get()
    assert ask_work(sent=sent, user=sent.sent_by, work=SentWork.IMPORT)
    Membership.objects.filter(project=world.project, user=sent.sent_by).update(role=Role.VIEWER)
    do_work(sent_id=sent.pk)
    sent.refresh_from_db()
    assert sent.told is not None
    assert (sent.told["problems"][0]["code"], sent.status) == ("not-finance", SentStatus.IDLE)
    assert not SupplierDocument.objects.exists()


def test_a_worker_that_died_is_followed_and_one_that_fails_says_so(
    keeper: Browser, woken: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = send(keeper)
    SentDocument.objects.update(status=SentStatus.RUNNING)  # as a killed worker leaves it
    with psycopg.connect(libpq({**connection.settings_dict, "OPTIONS": {}}), autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s, %s)", [Work.SENT.value, woken[0]])
        do_work(sent_id=woken[0])  # somebody is at it
        assert unfinished_work() == woken
        other.execute("SELECT pg_advisory_unlock(%s, %s)", [Work.SENT.value, woken[0]])

    def broken(**_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(working, "try_sent", broken)
        do_work(sent_id=woken[0])
    assert unfinished_work() == []
    assert "import-failed" in keeper.get(page).content.decode()


def test_what_stood_in_the_way_and_has_passed_is_tried_again(
    keeper: Browser, woken: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker was lost, a row was locked, a rate was missing: the same bytes, once more."""
    page = send(keeper)

    def locked(**_: object) -> None:
        raise OperationalError

    with monkeypatch.context() as patched:
        patched.setattr(working, "try_sent", locked)
        do_work(sent_id=woken[0])
    assert 'value="again"' in keeper.get(page).content.decode()
    assert keeper.post(page, {"act": "again"})["Location"] == page
    assert woken == [woken[0]] * 2
    assert "It is being tried" in keeper.get(page).content.decode()
    do_work(sent_id=woken[0])
    assert "Import 3 lines" in keeper.get(page).content.decode()


def test_a_file_that_ends_its_worker_is_given_up_and_one_that_waited_for_a_worker_is_not(
    keeper: Browser, woken: list[int]
) -> None:
    page = send(keeper)
    long_ago = database_now() - GIVEN_UP_AFTER - timedelta(minutes=1)
    SentDocument.objects.update(asked_at=long_ago)
    do_work(sent_id=woken[0])
    assert "Import 3 lines" in keeper.get(page).content.decode()
    SentDocument.objects.update(status=SentStatus.RUNNING, work=SentWork.TRY, began_at=long_ago)
    do_work(sent_id=woken[0])
    assert "gave-up" in keeper.get(page).content.decode()
    keeper.post(page, {"act": "again"})
    do_work(sent_id=woken[0])
    assert "Import 3 lines" in keeper.get(page).content.decode()


def test_steps_are_told_from_the_first_to_the_last(keeper: Browser) -> None:
    send(keeper)
    told: list[tuple[int, int]] = []
    sent = SentDocument.objects.get()
    sending.try_sent(sent=sent, user=sent.sent_by, progress=lambda done, of: told.append((done, of)))
    assert told == [(3, 9), (6, 9), (6, 9)]


@pytest.mark.parametrize(("name", "most"), [("MOST_SENT", 2), ("MOST_BYTES", 300)])
def test_only_so_much_is_kept_that_nobody_imports(
    keeper: Browser, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    monkeypatch.setattr(sending, name, most)
    sent = [send(keeper, number=f"INV-{number}") for number in range(2)]
    file = SimpleUploadedFile("bill.csv", b"Date,Amount,Currency\n2026-09-03,4.00,CNY\n" * 3)
    refused = keeper.post(PAGE, FORM | {"number": "INV-9", "file": file})
    assert refused.status_code == 422
    assert "2 files of this project were sent and are not imported" in refused.content.decode()
    assert SentDocument.objects.count() == 2
    SentDocument.objects.update(status=SentStatus.IDLE)
    assert keeper.post(sent[0], {"act": "forget"}).status_code == 302
    send(keeper, number="INV-9")
    assert SentDocument.objects.count() == 2


def test_what_nobody_imported_in_time_makes_room(keeper: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "MOST_SENT", 1)
    send(keeper)
    SentDocument.objects.update(sent_at="2026-01-01T00:00:00Z", status=SentStatus.IDLE)
    send(keeper, number="INV-2")
    assert SentDocument.objects.get().number == "INV-2"
