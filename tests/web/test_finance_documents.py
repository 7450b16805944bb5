"""Suppliers' documents in the browser: a file that is tried, how its columns are read, empty files, figures."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template.loader import render_to_string
from django.test import Client as Browser
from django.utils import translation

from billing.models import Books, ColumnMapping, SentDocument, SupplierDocument
from billing.services.open_books import open_books
from billing.suppliers.fields import FIELDS, field_of
from once_delivery.accounts.models import Role
from tests.web.conftest import World, signed_in
from tests.web.pages import read
from tests.web.test_finance_long_document import FORM, PAGE
from tests.web.test_policy import problems

BAD = "Datum,Request ID,Amont,Currency,Colour\n2026-09-03,r-1,4.00,CNY,red\n"


@pytest.fixture
def keeper(world: World) -> Browser:
    open_books(project=world.project, since=date(2026, 9, 1))
    return signed_in(world.people[Role.FINANCE])


def send(browser: Browser, text: str, **said: Any) -> str:
    file = SimpleUploadedFile("bill.csv", text.encode())
    answer = browser.post(PAGE, FORM | said | {"file": file})
    assert answer.status_code == 302
    return str(answer["Location"])


def chosen(page: str) -> list[str]:
    """What the form says of each column."""
    return [
        next(
            (part.split('"')[0] for part in one.split('<option value="')[1:] if " selected" in part[:60]), ""
        )
        for one in page.split("<select")[1:]
        if 'name="field-' in one
    ]


def test_a_trial_that_failed_is_a_page_like_any_other(keeper: Browser) -> None:
    page = send(keeper, BAD)
    shown = keeper.get(page)
    assert shown.status_code == 200
    assert problems(shown.content.decode()) == []
    assert "stand in the way" in shown.content.decode()
    refused = keeper.post(page, {"act": "import"})
    assert refused.status_code == 422
    assert not SupplierDocument.objects.exists()


@pytest.mark.parametrize(
    "text",
    [
        '[{"amount":1e999999999999999999999,"currency":"USD","used_at":"2026-11-10"}]',
        '[{"amount":1,"currency":"USD","used_at":"2000-01-01T00:00:00+23:59"}]',
    ],
)
def test_what_was_sent_is_shown_whatever_it_holds(keeper: Browser, text: str) -> None:
    assert keeper.get(send(keeper, text)).status_code == 200


def test_the_nearest_field_of_each_column_is_chosen_already(keeper: Browser) -> None:
    page = keeper.get(send(keeper, BAD)).content.decode()
    assert chosen(page) == ["used_at", "request_id", "amount", "currency", ""]
    assert "Amount without tax" in page
    assert "不含税金额" in signed_page(keeper, page_of(), "zh-hans")


def test_a_kept_mapping_is_completed_by_what_the_headings_suggest(keeper: Browser, world: World) -> None:
    page = send(keeper, BAD)
    sent = SentDocument.objects.get()
    ColumnMapping.objects.create(
        supplier=sent.supplier,
        kind=sent.kind,
        shape="columns",
        columns={"used_at": "datum ", "ignored": ["Currency"]},
    )
    assert chosen(keeper.get(page).content.decode()) == ["used_at", "request_id", "amount", "", ""]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_empty_files_have_headings_that_are_understood(keeper: Browser, language: str) -> None:
    for kind, headings in (("csv", csv_headings), ("xlsx", xlsx_headings)):
        answer = keeper.get(f"{PAGE}blank.{kind}", headers={"accept-language": language})
        assert answer.status_code == 200
        found = headings(answer.content)
        assert [field_of(one) for one in found] == list(FIELDS), kind
        assert ("金额" in found) == (language == "zh-hans")


def test_figures_have_their_groups(keeper: Browser, world: World) -> None:
    page = send(keeper, "Date,Request ID,Amount,Currency\n2026-09-03,r-1,1234567.50,CNY\n")
    assert "1,234,567.50" in keeper.get(page).content.decode()
    keeper.post(page, {"act": "import"})
    document = SupplierDocument.objects.get()
    for language in ("en", "zh-hans"):
        for path in (PAGE, f"{PAGE}{document.uuid}/", "/finance/aurora/lines/"):
            assert "1,234,567.50" in signed_page(keeper, path, language), path


def test_limits_are_shown_as_they_were_typed(keeper: Browser, world: World) -> None:
    typed = {"act": "limits", "two_people_above": "1,500", "undetermined_limit": "0.5", "minimum_n": "7"}
    refused = keeper.post("/finance/aurora/terms/", typed)
    assert refused.status_code == 422
    page = refused.content.decode()
    for said in ("1,500", "0.5", "7"):
        assert f'value="{said}"' in page
    assert "is no number" in " ".join(read(page))
    assert keeper.post("/finance/aurora/terms/", typed | {"two_people_above": "1500.50"}).status_code == 302
    assert 'value="1500.5"' in keeper.get("/finance/aurora/terms/").content.decode()
    assert Books.objects.get().minimum_n == 7
    page = keeper.get("/finance/aurora/terms/").content.decode()
    assert 'name="output_fee" type="text" value="0"' in page
    assert 'value="4"' in page
    assert '.00"' not in page


def test_words_with_two_meanings_have_the_one_of_finance(keeper: Browser) -> None:
    assert '<label for="f-number">单据号' in signed_page(keeper, PAGE, "zh-hans")
    with translation.override("zh-hans"):
        assert render_to_string("web/finance/_filter_word.html", {"name": "bucket"}).strip() == "成本项"


def page_of() -> str:
    return f"{PAGE}sent/{SentDocument.objects.get().uuid}/"


def signed_page(browser: Browser, path: str, language: str) -> str:
    return browser.get(path, headers={"accept-language": language}).content.decode()


def csv_headings(data: bytes) -> list[str]:
    return data.decode("utf-8-sig").strip().split(",")


def xlsx_headings(data: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        return re.findall("<t>([^<]*)</t>", book.read("xl/sharedStrings.xml").decode())


def test_a_form_that_is_sent_empty_says_so_beside_each_field(keeper: Browser) -> None:
    answer = keeper.post(PAGE, {"dated": ""}, headers={"accept-language": "en"})
    said = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="w-file"' in said
    assert "The file is empty." in said
    assert 'id="w-number"' in said
    assert 'id="w-dated"' in said
