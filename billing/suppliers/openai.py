"""OpenAI's costs: buckets of one day, each with a result for a project and a line item. No requests: spread by usage.

Fields: https://platform.openai.com/docs/api-reference/usage/costs_object (``data``: buckets with ``start_time`` and
``end_time`` in Unix seconds and ``results``; ``amount``: ``value`` in ``currency``, lower case; ``line_item``,
``project_id``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from billing.suppliers.documents import Node, lines_of_days
from billing.suppliers.line import ReadLine
from billing.suppliers.raw import kept
from billing.suppliers.values import amount_of, currency_of, seconds_of
from once_delivery.common.sheets.problems import Problems

_RESULT = "organization.costs.result"


def is_openai(document: Any) -> bool:
    """Whether ``document`` is a page of costs."""
    buckets = document.get("data") if isinstance(document, Mapping) else None
    return isinstance(buckets, list) and any(
        isinstance(bucket, Mapping) and ("start_time" in bucket or bucket.get("object") == "bucket")
        for bucket in buckets[:1]
    )


def read_openai(document: Mapping[str, Any], problems: Problems) -> Iterator[ReadLine]:
    """A line for each result of each day; problems are added. What costs nothing is left out."""
    return lines_of_days(document, _line, problems)


def _line(bucket: Node, node: Node, row: int) -> ReadLine | None:
    begin = bucket.get("start_time", seconds_of, needed=True)
    end = bucket.get("end_time", seconds_of, needed=True)
    amount = node.get("amount/value", lambda cell: amount_of(cell, round_finer=True), needed=True)
    currency = node.get("amount/currency", currency_of, needed=True)
    if begin is None or end is None or amount is None or currency is None:
        return None
    item = node.word("line_item", 500)
    return ReadLine(
        row=row,
        amount=amount,
        currency=currency,
        used_at=begin,
        used_until=end,
        # “gpt-image-1, output”: the model stands before the kind of token
        model=item.partition(",")[0].strip()[:200],
        description=" · ".join(part for part in (item, node.word("project_id", 200)) if part)[:500],
        is_credit=amount < 0,
        raw=kept(node.value),
        place=node.place,
    )
