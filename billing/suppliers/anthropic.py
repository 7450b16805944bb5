"""Anthropic's cost report: buckets of one day, amounts in **cents as a decimal text**. No requests: spread by usage.

Fields: https://platform.claude.com/docs/en/api/admin/cost_report (``data``: buckets with ``starting_at`` and ``ending_at``
in RFC 3339 and ``results``; ``amount``: "123.45" of USD is 1.2345 dollars; ``currency``, ``model``, ``description``,
``cost_type``, ``token_type``, ``workspace_id``, null for the default workspace).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_noop

from billing.money import quantum_of
from billing.suppliers.documents import Node, lines_of_days
from billing.suppliers.line import ReadLine
from billing.suppliers.raw import kept
from billing.suppliers.values import amount_of, currency_of, moment_of
from once_delivery.common.sheets.cells import CellError
from once_delivery.common.sheets.problems import Problems

CENTS_AS_TEXT = gettext_noop('The amount is in cents as a text, as in "123.45"; %(value)s is a number.')


def is_anthropic(document: Any) -> bool:
    """Whether ``document`` is a page of a cost report."""
    buckets = document.get("data") if isinstance(document, Mapping) else None
    return isinstance(buckets, list) and any(
        isinstance(bucket, Mapping) and "starting_at" in bucket for bucket in buckets[:1]
    )


def read_anthropic(document: Mapping[str, Any], problems: Problems) -> Iterator[ReadLine]:
    """A line for each result of each day; problems are added. What costs nothing is left out."""
    return lines_of_days(document, _line, problems)


def _line(bucket: Node, node: Node, row: int) -> ReadLine | None:
    begin = bucket.get("starting_at", _moment, needed=True)
    end = bucket.get("ending_at", _moment, needed=True)
    cents = node.get("amount", _cents, needed=True)
    currency = node.get("currency", currency_of) or "USD"
    if begin is None or end is None or cents is None:
        return None
    said = [node.word(name, 200) for name in ("description", "token_type", "workspace_id")]
    return ReadLine(
        row=row,
        amount=amount_of(cents * quantum_of(currency), round_finer=True),
        currency=currency,
        used_at=begin,
        used_until=end,
        model=node.word("model", 200),
        description=" · ".join(part for part in said if part)[:500],
        is_credit=cents < 0,
        raw=kept(node.value),
        place=node.place,
    )


def _moment(cell: Any) -> datetime:
    return moment_of(cell, UTC)


def _cents(cell: Any) -> Decimal:
    """A number would leave open whether dollars were meant: an amount in cents is text."""
    if not isinstance(cell, str):
        raise CellError("cents-as-number", CENTS_AS_TEXT, value=str(cell)[:40])
    return amount_of(cell, round_finer=True)
