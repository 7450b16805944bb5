from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from billing.models import Tax
from billing.suppliers.line import keys_of
from tests.billing.suppliers.files import a_file, csv_bytes, json_bytes, one, read, refused, xlsx_bytes

FOCUS = {
    "BilledCost": "4.00",
    "BillingCurrency": "USD",
    "ChargeCategory": "Usage",
    "ChargePeriodStart": "2026-09-14T00:00:00Z",
    "ChargePeriodEnd": "2026-09-15T00:00:00Z",
    "ConsumedQuantity": "1",
    "ConsumedUnit": "image",
    "ResourceId": "r-1",
    "SkuId": "flux",
    "InvoiceId": "INV-9",
    "Tags": '{"a": "b"}',
}
FAL = {
    "request_id": "r-1",
    "endpoint_id": "fal-ai/flux/dev",
    "timestamp": "2026-09-14T01:02:03Z",
    "output_units": 2,
    "cost_subtotal": 0.05,
    "cost_discount": 0.005,
    "cost_total": 0.045,
    "cost_estimate_nano_usd": 45000001,
}


def test_a_row_is_a_line() -> None:
    (line,) = read(a_file(one()))
    assert (line.request_id, line.amount, line.currency, line.units, line.unit) == (
        "r-1",
        Decimal("4.00"),
        "USD",
        Decimal(1),
        "image",
    )
    assert line.used_at == datetime(2026, 9, 14, 9, tzinfo=UTC)
    assert line.raw["amount"] == "4.00"


def test_headings_may_be_chinese_and_a_mapping_goes_first() -> None:
    data = csv_bytes(["4", "2026-09-14", "K"], header=["金额", "日期", "Kunde"])
    assert refused(data) == [("unknown-column", 1, "C (Kunde)")]
    (line,) = read(data, mapping={"ignored": ["Kunde"]})
    assert line.amount == 4
    (line,) = read(csv_bytes(["4"], header=["Betrag"]), mapping={"amount": "Betrag"})
    assert line.amount == 4


@pytest.mark.parametrize(
    ("changes", "code", "column"),
    [
        ({"amount": "1.234,56"}, "number-with-separators", "F (amount)"),
        ({"amount": "1,234.56"}, "number-with-separators", "F (amount)"),
        ({"amount": "12,5"}, "number-with-separators", "F (amount)"),
        ({"amount": "$4"}, "bad-amount", "F (amount)"),
        ({"amount": "-4.00"}, "negative-charge", "F (amount)"),
        ({"amount": ""}, "missing-value", "F (amount)"),
        ({"amount": "0.1234567890123"}, "too-many-decimals", "F (amount)"),
        ({"amount": "9999999999999999"}, "amount-too-large", "F (amount)"),
        ({"amount": "NaN"}, "bad-amount", "F (amount)"),
        ({"units": "0"}, "bad-units", "D (units)"),
        ({"units": "-1"}, "bad-units", "D (units)"),
        ({"currency": "XYZ9"}, "unknown-currency", "G (currency)"),
        ({"used_at": "46279"}, "date-as-number", "B (used_at)"),
        ({"used_at": "14.09.2026"}, "bad-time", "B (used_at)"),
        ({"used_at": "0026-09-14"}, "bad-time", "B (used_at)"),
        ({"used_at": "1999-12-31"}, "bad-time", "B (used_at)"),
        ({"used_at": "2200-01-01T00:00:00+08:00"}, "bad-time", "B (used_at)"),
        ({"model": "a\x00b"}, "bad-character", "C (model)"),
        ({"model": "x" * 201}, "too-long", "C (model)"),
        ({"category": "gift"}, "unknown-choice", "H (category)"),
        ({"used_until": "2026-09-13"}, "ends-before-begin", "H (used_until)"),
    ],
)
def test_what_is_wrong_is_told_at_its_cell(changes: dict[str, Any], code: str, column: str) -> None:
    assert refused(a_file({**one(), **dict.fromkeys(changes, "")}, one(**changes)))[-1] == (code, 3, column)


def test_an_offset_that_no_place_has_is_counted_from_utc() -> None:
    (line,) = read(a_file(one(used_at="2026-09-14T00:00:00+23:59")))
    assert line.used_at is not None
    assert line.used_at.isoformat() == "2026-09-13T00:01:00+00:00"


@pytest.mark.parametrize(
    "said", ["1e999999999999999999999", "-1e999999999999999999999", "1e400", "1e-999999999999999999999"]
)
def test_a_number_that_nobody_can_hold_is_told(said: str) -> None:
    data = f'[{{"amount":{said},"currency":"USD","used_at":"2026-11-10"}}]'.encode()
    assert [code for code, *_ in refused(data, "bill.json")] == ["bad-number"]


def test_every_problem_of_a_file_is_told() -> None:
    data = a_file(one(amount="x"), one(), one(units="0", currency="?"))
    assert [(code, row) for code, row, _ in refused(data)] == [
        ("bad-amount", 2),
        ("bad-units", 4),
        ("unknown-currency", 4),
    ]


def test_a_spreadsheet_gives_what_it_shows() -> None:
    data = xlsx_bytes(["r", datetime(2026, 9, 14), "m", 1, "image", 0.1 + 0.2, "USD"])  # noqa: DTZ001
    (line,) = read(data, "bill.xlsx")
    assert line.amount == Decimal("0.3")
    assert line.used_at is not None
    assert line.used_at.isoformat() == "2026-09-14T00:00:00+08:00"


def test_a_formula_is_no_amount() -> None:
    assert refused(xlsx_bytes(["r", "2026-09-14", "m", 1, "image", "=1+1", "USD"]), "bill.xlsx") == [
        ("formula-cell", 2, "F (amount)")
    ]


def test_a_bomb_is_not_unpacked() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 200_000_000)
    assert refused(out.getvalue(), "bill.xlsx")[0][0] == "unpacks-too-large"


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "a.csv", "file-empty"),
        (b"%PDF-1.7", "a.pdf", "unsupported-format"),
        (b"\xff\xfe\x00\x00", "a.csv", "wrong-encoding"),
        (b"amount,amount\n1,2\n", "a.csv", "duplicate-column"),
        (b"request_id\nr\n", "a.csv", "missing-column"),
        (b'{"a": 1, "a": 2}', "a.json", "key-twice"),
        (b'{"other": []}', "a.json", "unknown-shape"),
        (b'{"billing_events": {}}', "a.json", "not-an-array"),
        (b'{"billing_events": [1]}', "a.json", "not-a-row"),
        (b'{"billing_events": [], "has_more": true}', "a.json", "more-pages"),
        (b'{"billing_events": []}', "a.json", "no-rows"),
        (b"[" * 100_000, "a.json", "too-deep"),
    ],
)
def test_hostile_files_are_refused(data: bytes, name: str, code: str) -> None:
    assert refused(data, name)[0][0] == code


def test_focus_says_usage_credit_and_tax() -> None:
    rows = [
        FOCUS,
        FOCUS | {"ChargeCategory": "Credit", "BilledCost": "-1.5", "ConsumedQuantity": ""},
        FOCUS | {"ChargeCategory": "Tax", "BilledCost": "0.24", "ConsumedQuantity": "0"},
    ]
    usage, credit, tax = read(a_file(*rows), currency="")
    assert (usage.amount, usage.request_id, usage.model, usage.document) == (
        Decimal(4),
        "r-1",
        "flux",
        "INV-9",
    )
    assert usage.used_until == datetime(2026, 9, 15, tzinfo=UTC)
    assert (credit.amount, credit.is_credit) == (Decimal("-1.5"), True)
    assert (tax.amount, tax.tax, tax.tax_treatment) == (Decimal(0), Decimal("0.24"), Tax.RECOVERABLE)
    assert refused(a_file(FOCUS | {"BilledCost": "-4"}))[0][:2] == ("negative-charge", 2)


def test_fal_counts_nano_dollars() -> None:
    (line,) = read(json_bytes({"billing_events": [FAL], "has_more": False}), "fal.json")
    assert (line.amount, line.request_id, line.units) == (Decimal("0.045000001"), "r-1", Decimal(2))
    differing = {"billing_events": [FAL | {"cost_total": 0.05}]}
    assert refused(json_bytes(differing), "fal.json") == [
        ("amounts-differ", 1, "/billing_events/0/cost_total")
    ]


def test_openai_sums_up_days() -> None:
    bucket = {
        "object": "bucket",
        "start_time": 1789344000,
        "end_time": 1789430400,
        "results": [
            {
                "amount": {"value": 0.06, "currency": "usd"},
                "line_item": "gpt-image-1, output",
                "project_id": None,
            },
            {"amount": {"value": 0, "currency": "usd"}, "line_item": "x"},
        ],
    }
    (line,) = read(json_bytes({"object": "page", "data": [bucket]}), "openai.json")
    assert (line.amount, line.currency, line.model) == (Decimal("0.06"), "USD", "gpt-image-1")
    assert (line.used_at, line.used_until) == (
        datetime(2026, 9, 14, tzinfo=UTC),
        datetime(2026, 9, 15, tzinfo=UTC),
    )


def test_anthropic_writes_cents_as_text() -> None:
    result: dict[str, Any] = {
        "amount": "123.45",
        "currency": "USD",
        "model": "claude-opus-4-6",
        "workspace_id": None,
    }
    bucket = {"starting_at": "2026-09-14T00:00:00Z", "ending_at": "2026-09-15T00:00:00Z", "results": [result]}
    (line,) = read(json_bytes({"data": [bucket], "has_more": False}), "anthropic.json")
    assert (line.amount, line.model) == (Decimal("1.2345"), "claude-opus-4-6")
    result["amount"] = 123.45
    assert refused(json_bytes({"data": [bucket]}), "anthropic.json") == [
        ("cents-as-number", 1, "/data/0/results/0/amount")
    ]


def test_litellm_logs_calls_and_its_secrets_are_not_kept() -> None:
    call = {
        "request_id": "r-1",
        "spend": 7.350000000000001e-05,
        "startTime": "2026-09-14T01:02:03Z",
        "model": "gpt-4o",
        "total_tokens": 12,
        "api_key": "sk-1",
        "messages": [],
    }
    (line,) = read(json_bytes([call]), "spend.json")
    assert (line.amount, line.units, line.currency) == (Decimal("0.0000735"), Decimal(12), "USD")
    assert "api_key" not in line.raw


def test_a_true_repeat_has_a_key_of_its_own() -> None:
    first = keys_of(read(a_file(one(), one(), one(request_id="r-2"))))
    again = keys_of(read(a_file(one(), one(), one(request_id="r-2"), one(request_id="r-3"))))
    assert len(set(first)) == 3
    assert again[:3] == first
    assert keys_of(read(a_file(one(request_id="r-2"), one()))) == [first[2], first[0]]
