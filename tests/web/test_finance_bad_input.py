"""What cannot be meant on the pages of costs is refused in words, or leads back; never a 500, never half kept."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client as Browser

from billing.models import FxRate, PlatformFee, PriceVersion, RateCard, SentDocument, Terms
from billing.services.open_books import open_books
from once_delivery.accounts.models import Role
from tests.web.conftest import World, signed_in

PRICES = b"provider,unit,price,currency\nfal,image,0.04,USD\n"


@pytest.fixture
def keeper(world: World) -> Browser:
    open_books(project=world.project, since=date(2026, 9, 1))
    return signed_in(world.people[Role.FINANCE])


@pytest.mark.parametrize(
    "path",
    [
        "?month=9999-12",
        "?month=0001-01",
        "?month=2026-13",
        "entries/?as_of=9999-12-31T23:00:00-14:00",
        "reports/ledger/?last=9999-12",
    ],
)
def test_an_address_that_cannot_be_meant_leads_back(keeper: Browser, path: str) -> None:
    assert keeper.get(f"/finance/aurora/{path}").status_code == 302


def test_a_moment_of_any_offset_is_looked_back_to(keeper: Browser) -> None:
    assert keeper.get("/finance/aurora/entries/?as_of=2026-11-01T00:00:00%2B23:59").status_code == 200


@pytest.mark.parametrize("path", ["entries/999999999999999999999/", "months/9999-12/", "months/0000-01/"])
def test_what_is_not_there_is_not_found(keeper: Browser, path: str) -> None:
    assert keeper.get(f"/finance/aurora/{path}").status_code == 404


@pytest.mark.parametrize(
    ("field", "said"),
    [("dated", "9999-12-31"), ("period", "9999-12"), ("supplier", "a\x00"), ("total", "1e9")],
)
def test_a_document_that_cannot_be_meant_is_refused(keeper: Browser, field: str, said: str) -> None:
    form = {
        "supplier": "+",
        "supplier_name": "fal",
        "sub_bucket": "generation",
        "kind": "invoice",
        "number": "INV-1",
        "dated": "2026-09-30",
        "tax_treatment": "recoverable",
        "file": SimpleUploadedFile("bill.csv", b"Date,Amount,Currency\n2026-09-03,4.00,CNY\n"),
    }
    assert keeper.post("/finance/aurora/documents/", form | {field: said}).status_code == 422
    assert not SentDocument.objects.exists()


def test_a_price_has_the_day_that_was_typed_or_none(keeper: Browser) -> None:
    for source, day in (("fal", "yesterday"), ("fal", ""), ("f\x00al", "2026-09-01")):
        form = {"act": "prices", "source": source, "valid_from": day}
        form |= {"file": SimpleUploadedFile("prices.csv", PRICES)}  # type: ignore[dict-item]
        assert keeper.post("/finance/aurora/rates/", form).status_code == 422
    assert not PriceVersion.objects.exists()


@pytest.mark.parametrize(
    "form",
    [
        {"act": "card", "hourly": "999999999999999", "role": "everybody"},
        {
            "act": "fee",
            "amount": "999999999999999",
            "code": "platform",
            "sub_bucket": "platform",
            "per": "month",
        },
    ],
)
def test_an_amount_that_no_column_holds_is_refused(keeper: Browser, form: dict[str, str]) -> None:
    said = {"currency": "CNY", "valid_from": "2026-09-01"}
    assert keeper.post("/finance/aurora/rates/", form | said).status_code == 422
    assert RateCard.objects.count() + PlatformFee.objects.count() == 0


@pytest.mark.parametrize(
    ("act", "data", "told"),
    [
        ("rates", b"date,currency,rate\n2026-09-01,USD,7.1\n2026-09-02,USX,7.1\n", ("3", "B (currency)", "unknown-currency")),
        ("prices", PRICES + b"fal,image,-1,USD\n", ("3", "C (price)", "negative-price")),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_rows_of_a_file_stands_below_it(
    keeper: Browser, act: str, data: bytes, told: tuple[str, str, str]
) -> None:
    form = {"act": act, "source": "the bank", "valid_from": "2026-09-01"}
    form |= {"file": SimpleUploadedFile("file.csv", data)}  # type: ignore[dict-item]
    answer = keeper.post("/finance/aurora/rates/", form)
    html = answer.content.decode()
    forms = {part.partition('"')[0]: part for part in html.split('name="act" value="')[1:]}
    shown = re.findall(
        r'<td class="num">(\d+)</td><td class="mono"[^>]*>([^<]+)</td>.*?<code[^>]*>([\w-]+)<', forms[act]
    )
    assert (answer.status_code, shown) == (422, [told])
    assert [name for name in forms if "stands in the way" in forms[name]] == [act]
    assert PriceVersion.objects.count() + FxRate.objects.count() == 0


@pytest.mark.parametrize("act", ["rates", "prices"])
def test_no_file_and_no_source_are_said_beside_their_fields(keeper: Browser, act: str) -> None:
    none = keeper.post("/finance/aurora/rates/", {"act": act, "source": "the bank"})
    data = b"date,currency,rate\n2026-09-01,USD,7.1\n" if act == "rates" else PRICES
    form = {
        "act": act,
        "source": "",
        "valid_from": "2026-09-01",
        "file": SimpleUploadedFile("file.csv", data),
    }
    nobody = keeper.post("/finance/aurora/rates/", form)
    assert [set(answer.context["forms"][act].fields) for answer in (none, nobody)] == [{"file"}, {"source"}]
    for answer, mark in (
        (none, "price-file" if act == "prices" else "fx-file"),
        (nobody, "prices-source" if act == "prices" else "fx-source"),
    ):
        assert f'id="w-{mark}"' in answer.content.decode()


def test_terms_wait_for_the_books(world: World) -> None:
    browser = signed_in(world.people[Role.FINANCE])
    page = browser.get("/finance/aurora/terms/")
    answer = browser.post("/finance/aurora/terms/", page.context["answer"].typed | {"currency": "CNY"})
    assert (answer.status_code, Terms.objects.count()) == (422, 0)
    assert "no accounts" in answer.content.decode()


@pytest.mark.parametrize(
    ("act", "form"),
    [
        ("price", {"currency": "US", "valid_from": "soon", "provider": "fal"}),
        ("card", {"currency": "US", "valid_from": "soon", "hourly": "80"}),
        ("fee", {"currency": "US", "valid_from": "soon", "code": "seat", "per": "attempt"}),
    ],
)
def test_what_is_wrong_stands_in_the_form_that_was_sent(
    keeper: Browser, act: str, form: dict[str, str]
) -> None:
    """Several forms of the page have a currency and a day."""
    html = keeper.post("/finance/aurora/rates/", {"act": act, **form}).content.decode()
    forms = {part.partition('"')[0]: part for part in html.split('name="act" value="')[1:]}
    assert {name for name, part in forms.items() if "is no currency" in part} == {act}
    assert {name for name, part in forms.items() if "is no date" in part} == {act}
    assert {name for name, part in forms.items() if 'value="US"' in part} == {act}
    ids = re.findall(r' id="([^"]+)"', html)
    assert [one for one in set(ids) if ids.count(one) > 1] == []
    if act == "fee":
        assert '<option value="attempt" selected>' in forms["fee"]
