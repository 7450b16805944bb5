"""The fields of a line, the headings that mean them, and how FOCUS calls them."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches


class Holds(enum.Enum):
    """What the cells of a field are read as."""

    WORD = enum.auto()
    AMOUNT = enum.auto()
    UNITS = enum.auto()
    CURRENCY = enum.auto()
    TIME = enum.auto()
    CHOICE = enum.auto()


@dataclass(frozen=True, slots=True)
class Field:
    """One field. ``also`` are further headings; ``choices`` what its cells may say."""

    name: str
    chinese: str
    holds: Holds
    also: tuple[str, ...] = ()
    choices: Mapping[str, str] | None = None
    required: bool = False
    longest: int = 300


_BUCKETS = {
    "generation": "generation",
    "生成": "generation",
    "storage": "storage",
    "存储": "storage",
    "other": "other",
    "其他": "other",
    "platform": "platform",
    "平台": "platform",
    "orchestration": "orchestration",
    "编排": "orchestration",
}
_TREATMENTS = {
    "none": "none",
    "无": "none",
    "recoverable": "recoverable",
    "可抵扣": "recoverable",
    "non_recoverable": "non_recoverable",
    "non-recoverable": "non_recoverable",
    "不可抵扣": "non_recoverable",
}
_CATEGORIES = {
    "charge": "charge",
    "费用": "charge",
    "credit": "credit",
    "贷项": "credit",
    "tax": "tax",
    "税": "tax",
}

FIELDS: tuple[Field, ...] = (
    Field("amount", "金额", Holds.AMOUNT, ("cost", "net", "net amount", "charge amount"), required=True),
    Field("currency", "币种", Holds.CURRENCY, ("ccy",)),
    Field("used_at", "使用时间", Holds.TIME, ("date", "day", "日期", "time", "timestamp", "used at")),
    Field("used_until", "截止时间", Holds.TIME, ("until", "end date", "used until")),
    Field("request_id", "请求编号", Holds.WORD, ("request id", "request", "job id", "prediction id")),
    Field("idempotency_key", "幂等键", Holds.WORD, ("idempotency key",)),
    Field("attempt", "尝试", Holds.WORD, ("attempt token",), longest=36),
    Field("model", "模型", Holds.WORD, ("endpoint", "sku"), longest=200),
    Field("units", "用量", Holds.UNITS, ("quantity", "数量")),
    Field("unit", "单位", Holds.WORD, ("unit of measure",), longest=60),
    Field("tax", "税额", Holds.AMOUNT, ("tax amount", "vat")),
    Field("tax_treatment", "税务处理", Holds.CHOICE, ("tax treatment",), _TREATMENTS),
    Field("category", "类别", Holds.CHOICE, ("type",), _CATEGORIES),
    Field("sub_bucket", "成本项", Holds.CHOICE, ("what for",), _BUCKETS),
    Field("description", "说明", Holds.WORD, ("text", "line item", "备注"), longest=500),
    Field("document", "单据号", Holds.WORD, ("invoice", "invoice number", "invoice id"), longest=120),
    Field("credits", "冲抵", Holds.WORD, ("credited line", "credits line")),
)
BY_NAME = {field.name: field for field in FIELDS}

# FOCUS 1.0 to 1.2: which column is which field. A column that is named first wins where both are there.
FOCUS: Mapping[str, tuple[str, ...]] = {
    "amount": ("BilledCost",),
    "currency": ("BillingCurrency",),
    "used_at": ("ChargePeriodStart",),
    "used_until": ("ChargePeriodEnd",),
    "request_id": ("ResourceId",),
    "model": ("SkuId", "SkuMeter", "ServiceName"),
    "units": ("ConsumedQuantity", "PricingQuantity"),
    "unit": ("ConsumedUnit", "PricingUnit"),
    "category": ("ChargeCategory",),
    "description": ("ChargeDescription",),
    "document": ("InvoiceId",),
}
FOCUS_NEEDED = ("BilledCost", "BillingCurrency", "ChargeCategory", "ChargePeriodStart")
FOCUS_CATEGORIES = {
    "usage": "charge",
    "purchase": "charge",
    "credit": "credit",
    "adjustment": "adjustment",
    "tax": "tax",
}

# LiteLLM's spend log (LiteLLM_SpendLogs of https://github.com/BerriAI/litellm), from its table or its /spend/logs. Its
# amounts are worked out by the proxy from a table of prices, in dollars: evidence of usage, never an invoice.
LITELLM: Mapping[str, tuple[str, ...]] = {
    "amount": ("spend",),
    "used_at": ("startTime",),
    "request_id": ("request_id",),
    "model": ("model",),
    "units": ("total_tokens",),
    "description": ("call_type",),
}
LITELLM_NEEDED = ("spend", "startTime", "request_id")


def normal(heading: str) -> str:
    """One spelling of a heading: width, case, blanks, hyphens and underscores make no difference."""
    folded = unicodedata.normalize("NFKC", heading).casefold().strip().lstrip("\ufeff")
    return re.sub(r"[\s_-]+", "_", folded)


_HEADINGS = {normal(word): one for one in FIELDS for word in (one.name, one.chinese, *one.also)}


def field_of(heading: str) -> Field | None:
    """The field that ``heading`` means where nobody said otherwise."""
    return _HEADINGS.get(normal(heading))


def nearest(heading: str) -> str | None:
    """The known heading that was probably meant."""
    close = get_close_matches(normal(heading), _HEADINGS, n=1, cutoff=0.6)
    return _HEADINGS[close[0]].name if close else None


def known_headings(headings: Sequence[str]) -> int:
    """How many of ``headings`` are known, in any shape: it tells the delimiter of a CSV file."""
    fixed = {column for names in (FOCUS, LITELLM) for columns in names.values() for column in columns}
    return sum(1 for heading in headings if field_of(heading) or heading.strip() in fixed)
