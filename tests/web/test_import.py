"""Importing by the pages: dry run, apply exactly what was shown, nothing half imported."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client as Browser
from django.urls import reverse
from django.utils import timezone

from once_delivery.accounts.models import Role
from once_delivery.intake.models import Upload
from once_delivery.intake.services.uploads import KEPT_FOR
from once_delivery.ledger.models import Action, Batch, StoredFile, Task
from once_delivery.web.selectors.imports import PAGE, tried
from tests.web.conftest import World, signed_in
from tests.web.pages import read
from tests.web.uploads import BROKEN, GOOD, HEADER, an_upload, rows

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
)


def send(browser: Browser, data: bytes, name: str = "winter.csv", **fields: object) -> str:
    """Send a file; the address of its page."""
    response = browser.post(
        "/batches/import/", {"project": "aurora", "file": SimpleUploadedFile(name, data), **fields}
    )
    assert response.status_code == 302, read(response.content.decode())
    return str(response["Location"])


def said(browser: Browser, address: str) -> str:
    return " ".join(read(browser.get(address).content.decode()))


def apply(browser: Browser, address: str, *, sha256: str | None = None) -> tuple[int, str]:
    upload = Upload.objects.get(uuid=address.split("/")[3])
    response = browser.post(f"{address}apply/", {"sha256": upload.sha256 if sha256 is None else sha256})
    return response.status_code, response.get("Location", "")


def test_a_dry_run_says_what_it_would_do_and_keeps_nothing(alice: Browser) -> None:
    tasks = Task.objects.count()
    text = said(alice, send(alice, GOOD))
    assert "would make 3 new tasks" in text
    assert Task.objects.count() == tasks
    assert not Batch.objects.filter(name="winter").exists()


def test_apply_imports_exactly_what_was_shown_and_leads_to_the_batch(alice: Browser) -> None:
    address = send(alice, GOOD)
    status, where = apply(alice, address)
    batch = Batch.objects.get(name="winter")
    assert (status, where) == (302, f"/batches/{batch.uuid}/")
    assert batch.tasks.count() == 3
    assert "Nothing was sent to a target yet" in said(alice, where)
    assert alice.get(f"{address}original").content == GOOD


def test_a_second_click_imports_nothing_more(alice: Browser) -> None:
    address = send(alice, GOOD)
    first, second = apply(alice, address), apply(alice, address)
    assert first == second
    assert Batch.objects.filter(name="winter").count() == 1
    assert set(Batch.objects.get(name="winter").references.values_list("repeats", flat=True)) == {0}


def test_the_same_file_again_says_nothing_new(alice: Browser) -> None:
    apply(alice, send(alice, GOOD))
    again = send(alice, GOOD)
    text = said(alice, again)
    assert "Nothing new" in text
    assert "A batch “winter” exists" in text
    apply(alice, again)
    assert Batch.objects.get(name="winter").tasks.count() == 3


def test_another_file_than_the_one_that_was_shown_is_not_imported(alice: Browser) -> None:
    address = send(alice, GOOD)
    assert apply(alice, address, sha256="0" * 64)[0] == 409

    # the bytes in the database were exchanged
    Upload.objects.update(data=rows(9))
    assert apply(alice, address)[0] == 409
    assert not Batch.objects.filter(name="winter").exists()


def test_what_changed_in_the_project_meanwhile_is_said_and_nothing_imported(alice: Browser) -> None:
    first, second = send(alice, GOOD), send(alice, rows(3, body="other"), name="other.csv")
    apply(alice, first)
    status, _where = apply(alice, second)
    assert status == 409
    assert not Batch.objects.filter(name="other").exists()
    text = said(alice, second)
    assert "The file has 3 problems" in text
    assert "other content" in text


def test_a_file_with_problems_cannot_be_imported(alice: Browser) -> None:
    address = send(alice, BROKEN)
    assert apply(alice, address)[0] == 409
    assert not Batch.objects.filter(name="winter").exists()


def test_problems_are_grouped_and_paged_by_row_and_column(world: World, alice: Browser) -> None:
    found = tried(an_upload(world, data=BROKEN)).troubles
    assert found.count == 240
    assert sorted((group.count, group.rows) for group in found.groups) == [(120, "2–121"), (120, "2–121")]
    assert (len(found.rows), found.pages) == (PAGE, 3)
    one_kind = tried(an_upload(world, data=BROKEN), chosen=found.groups[0].key, page="2").troubles
    assert (len(one_kind.rows), one_kind.number, one_kind.pages) == (20, 2, 2)
    assert {one.column for one in one_kind.rows} == {found.groups[0].column}


@pytest.mark.parametrize("page", ["0", "x", "-3", "9" * 30, "②"])
def test_a_page_that_is_none_is_the_first(world: World, page: str) -> None:
    assert tried(an_upload(world, data=BROKEN), page=page).troubles.number == 1


def test_a_page_behind_the_last_is_the_last(world: World) -> None:
    assert tried(an_upload(world, data=BROKEN), page="99999999999").troubles.number == 3


def test_problems_come_as_csv_in_which_nothing_is_a_formula(world: World, alice: Browser) -> None:
    upload = an_upload(world, data=BROKEN.replace(b",x,", b",=1+1,"))
    lines = alice.get(f"/batches/import/{upload.uuid}/problems.csv").content.decode("utf-8-sig").splitlines()
    assert len(lines) == 241
    assert not [cell for line in lines for cell in line.split(",") if cell.startswith("=")]


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("empty.csv", b"", "The file is empty."),
        ("paper.pdf", b"%PDF-1.7 ...", "This is a PDF."),
        ("old.xls", b"\xd0\xcf\x11\xe0....", "old .xls file"),
        ("table.xlsx", b"no zip at all", "no kind of file that is read"),
        ("bad.json", b'{"deliveries": [', "JSON"),
    ],
)
def test_wrong_files_are_told_and_leave_nothing(
    alice: Browser, name: str, data: bytes, sentence: str
) -> None:
    tasks = Task.objects.count()
    response = alice.post(
        "/batches/import/", {"project": "aurora", "file": SimpleUploadedFile(name, data)}, follow=True
    )
    assert sentence in " ".join(read(response.content.decode()))
    assert Task.objects.count() == tasks


def test_too_large_a_file_is_refused_beside_its_field(alice: Browser, settings: object) -> None:
    settings.INTAKE_MAX_BYTES = 100  # type: ignore[attr-defined]
    response = alice.post(
        "/batches/import/", {"project": "aurora", "file": SimpleUploadedFile("a.csv", b"x" * 101)}
    )
    assert response.status_code == 422
    assert Upload.objects.count() == 0


def test_a_foreign_project_or_target_is_no_choice(world: World, alice: Browser) -> None:
    file = SimpleUploadedFile("a.csv", GOOD)
    assert alice.post("/batches/import/", {"project": "borealis", "file": file}).status_code == 422
    theirs = Action.objects.exclude(project=world.project)[0].target.uuid
    file = SimpleUploadedFile("a.csv", GOOD)
    response = alice.post("/batches/import/", {"project": "aurora", "target": theirs, "file": file})
    assert response.status_code == 422
    assert Upload.objects.count() == 0


def test_rows_without_a_target_take_the_chosen_one(world: World, alice: Browser) -> None:
    target = world.action("confirmed").target
    without = HEADER.replace("target,", "") + "pot-1,de-DE,page,1,short,Topf,text\n"
    address = send(alice, without.encode(), target=target.uuid)
    apply(alice, address)
    assert Action.objects.get(task__product__code="pot-1").target == target

    mixed = HEADER + "pot-2,de-DE,page,1,short,,T,x\npot-3,de-DE,page,1,short,nowhere,T,x\n"
    text = said(alice, send(alice, mixed.encode(), target=target.uuid))
    assert "nowhere" in text
    assert "The file has 1 problem:" in text


def test_pictures_come_along_and_only_those_that_are_named_stay(alice: Browser) -> None:
    data = HEADER.rstrip() + ",image\npot-1,de-DE,page,1,short,cms,Topf,text,images/pot.png\n"
    pictures = [SimpleUploadedFile("pot.png", PNG), SimpleUploadedFile("other.png", PNG + b"x")]
    address = send(alice, data.encode(), pictures=pictures)
    assert StoredFile.objects.count() == 0
    apply(alice, address)
    assert list(StoredFile.objects.values_list("name", flat=True)) == ["pot.png"]
    assert Upload.objects.get().pictures.count() == 0


def test_files_that_nobody_imported_are_forgotten(world: World) -> None:
    old = an_upload(world)
    Upload.objects.update(created_at=timezone.now() - KEPT_FOR - timedelta(minutes=1))
    an_upload(world)
    assert not Upload.objects.filter(pk=old.pk).exists()
    assert Upload.objects.count() == 1


def test_a_reader_gets_the_file_of_a_batch_but_not_one_that_waits(world: World, alice: Browser) -> None:
    upload = an_upload(world)
    address = reverse("web:import-original", args=[upload.uuid])
    viewer = signed_in(world.people[Role.VIEWER])
    assert viewer.get(address).status_code == 403
    apply(alice, f"/batches/import/{upload.uuid}/")
    response = viewer.get(address)
    assert (response.status_code, response.content) == (200, GOOD)
    assert response["Content-Disposition"].startswith("attachment")
    assert response["Content-Type"] == "application/octet-stream"


def test_the_empty_file_has_headings_in_the_readers_language(world: World) -> None:
    address = "/batches/import/samples/once-batch.csv"
    english = signed_in(world.alice).get(address).content.decode("utf-8-sig")
    chinese = signed_in(world.alice, language="zh-hans").get(address).content.decode("utf-8-sig")
    assert english.startswith("product,product_name,locale")
    assert chinese.startswith("产品,产品名称,语言")


@pytest.mark.parametrize("name", ["../README.md", "make_samples.py", "nothing.csv"])
def test_only_samples_can_be_fetched(alice: Browser, name: str) -> None:
    assert alice.get(f"/batches/import/samples/{name}").status_code == 404
