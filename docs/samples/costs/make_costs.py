"""Write the bills of one month, October 2026, in the shapes that suppliers send.

python docs/samples/costs/make_costs.py
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from openpyxl import Workbook

HERE = Path(__file__).parent
FIRST = datetime(2026, 10, 1, tzinfo=UTC)
MODELS = (("fal-ai/flux/dev", Decimal("0.025"), 2), ("fal-ai/kling-video/v2", Decimal("0.35"), 5))
REQUESTS = 24


def requests() -> list[dict[str, Any]]:
    """What was generated in the month, one request after the other."""
    made = []
    for number in range(REQUESTS):
        model, price, units = MODELS[number % 4 // 3]
        moment = FIRST + timedelta(days=1 + number, hours=2 + number % 9, minutes=7 * number % 60)
        made.append(
            {
                "id": f"8f0c2d1e-0000-4000-8000-{number:012d}",
                "model": model,
                "price": price,
                "units": units,
                "at": moment,
            }
        )
    return made


def focus() -> list[dict[str, str]]:
    """fal's invoice as FOCUS: each request, the second one billed twice, a discount on all, and tax."""
    rows = [_focus(one) for one in requests()]
    rows.append(_focus(requests()[1]))
    for category, cost, words in (("Credit", "-1.50", "Volume discount"), ("Tax", "0.87", "VAT")):
        rows.append(
            {
                **dict.fromkeys(rows[0], ""),
                "BilledCost": cost,
                "BillingCurrency": "USD",
                "ChargeCategory": category,
                "ChargeDescription": words,
                "ChargePeriodStart": "2026-10-31T00:00:00Z",
                "InvoiceId": "FAL-2026-10",
            }
        )
    return rows


def _focus(one: Mapping[str, Any]) -> dict[str, str]:
    return {
        "BilledCost": str(one["price"] * one["units"]),
        "BillingCurrency": "USD",
        "ChargeCategory": "Usage",
        "ChargeDescription": f"{one['model']} {one['units']} x {one['price']}",
        "ChargePeriodStart": one["at"].isoformat().replace("+00:00", "Z"),
        "ChargePeriodEnd": (one["at"] + timedelta(seconds=9)).isoformat().replace("+00:00", "Z"),
        "ConsumedQuantity": str(one["units"]),
        "ConsumedUnit": "output",
        "InvoiceId": "FAL-2026-10",
        "ResourceId": one["id"],
        "SkuId": one["model"],
        "ServiceName": "Model API",
        "Tags": '{"project": "demo"}',
    }


def events() -> dict[str, Any]:
    """fal's billing events of the same requests, known days before the invoice."""
    return {
        "billing_events": [
            {
                "request_id": one["id"],
                "endpoint_id": one["model"],
                "timestamp": one["at"].isoformat().replace("+00:00", "Z"),
                "output_units": one["units"],
                "unit_price": float(one["price"]),
                "percent_discount": 0,
                "cost_subtotal": float(one["price"] * one["units"]),
                "cost_discount": 0,
                "cost_total": float(one["price"] * one["units"]),
                "cost_estimate_nano_usd": int(one["price"] * one["units"] * 10**9),
            }
            for one in requests()
        ],
        "next_cursor": None,
        "has_more": False,
    }


def openai() -> dict[str, Any]:
    """OpenAI's costs: a bucket a day."""
    buckets = []
    for day in range(31):
        begin = FIRST + timedelta(days=day)
        results = [
            {
                "object": "organization.costs.result",
                "amount": {"value": round(0.0412 * (1 + day % 5), 6), "currency": "usd"},
                "line_item": "gpt-image-1, output",
                "project_id": "proj_demo",
            }
        ]
        buckets.append(
            {
                "object": "bucket",
                "start_time": int(begin.timestamp()),
                "end_time": int((begin + timedelta(days=1)).timestamp()),
                "results": results if day % 3 == 0 else [],
            }
        )
    return {"object": "page", "data": buckets, "has_more": False, "next_page": None}


def anthropic() -> dict[str, Any]:
    """Anthropic's cost report: cents as text."""
    return {
        "data": [
            {
                "starting_at": (FIRST + timedelta(days=day)).isoformat().replace("+00:00", "Z"),
                "ending_at": (FIRST + timedelta(days=day + 1)).isoformat().replace("+00:00", "Z"),
                "results": [
                    {
                        "amount": f"{Decimal('12.345') * (1 + day % 3)}",
                        "currency": "USD",
                        "cost_type": "tokens",
                        "description": "Claude Usage - Output Tokens",
                        "model": "claude-opus-4-6",
                        "token_type": "output_tokens",
                        "workspace_id": None,
                    }
                ],
            }
            for day in range(0, 31, 5)
        ],
        "has_more": False,
        "next_page": None,
    }


STORAGE = (
    ("日期", "金额", "币种", "成本项", "说明", "税额", "税务处理"),
    ("2026-10-31", 36.80, "CNY", "存储", "对象存储 120 GB", 2.21, "可抵扣"),
    ("2026-10-31", 4.15, "CNY", "存储", "外网流量 5 GB", 0.25, "可抵扣"),
)
CREDIT = [
    {
        "request_id": requests()[1]["id"],
        "model": requests()[1]["model"],
        "used_at": "2026-11-05",
        "amount": "0.05",
        "currency": "USD",
        "description": "Billed twice on FAL-2026-10",
    }
]


def rates() -> list[dict[str, str]]:
    """What a euro was worth on working days, as the European Central Bank lays it out. The figures are made up."""
    rows = []
    for number in range(40):
        day = date(2026, 11, 9) - timedelta(days=number)
        if day.isoweekday() <= 5:  # noqa: PLR2004 - Friday
            rows.append(
                {
                    "Date": day.isoformat(),
                    "USD": f"{Decimal('1.1010') + Decimal(number % 7) / 1000:.4f}",
                    "JPY": f"{Decimal('163.10') + number % 5:.2f}",
                    "CNY": f"{Decimal('7.8320') + Decimal(number % 6) / 500:.4f}",
                }
            )
    return rows


PRICES = {
    "fal_ai/fal-ai/flux/dev": {
        "litellm_provider": "fal_ai",
        "mode": "image_generation",
        "output_cost_per_image": 0.025,
    },
    "gpt-image-1": {"litellm_provider": "openai", "mode": "image_generation", "output_cost_per_image": 0.042},
    "claude-opus-4-6": {
        "litellm_provider": "anthropic",
        "mode": "chat",
        "input_cost_per_token": 5e-06,
        "output_cost_per_token": 2.5e-05,
    },
}
BROKEN = (
    ("request_id", "used_at", "units", "amount", "currency"),
    ("r-1", "2026-10-02", "1", "1.234,56", "USD"),
    ("r-2", "46297", "1", "4.00", "USD"),
    ("r-3", "2026-10-04", "0", "4.00", "USD"),
    ("r-4", "2026-10-05", "1", "-4.00", "USD"),
    ("r-5", "2026-10-06", "1", "4.00", "XYZ9"),
)


def write_csv(name: str, rows: Sequence[Mapping[str, str]]) -> None:
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def write_json(name: str, document: Any) -> None:
    (HERE / name).write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """All files of the folder."""
    write_csv("fal-2026-10.focus.csv", focus())
    write_json("fal-2026-10.events.json", events())
    write_json("openai-2026-10.costs.json", openai())
    write_json("anthropic-2026-10.cost-report.json", anthropic())
    write_csv("fal-2026-11.credit-note.csv", CREDIT)
    write_csv("rates.csv", rates())
    write_json("prices.json", PRICES)
    write_csv("broken.csv", [dict(zip(BROKEN[0], row, strict=True)) for row in BROKEN[1:]])
    book = Workbook()
    for row in STORAGE:
        book.worksheets[0].append(row)
    moment = datetime(2026, 11, 1)  # noqa: DTZ001 - a workbook knows no zones
    book.properties.created = book.properties.modified = moment
    book.save(HERE / "storage-2026-10.xlsx")


if __name__ == "__main__":
    main()
