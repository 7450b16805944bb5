"""fal's billing events: one request each, with its ID and what it cost in dollars.

Fields: https://fal.ai/docs/platform-apis/v1/models/billing-events (``billing_events``, ``request_id``, ``endpoint_id``,
``timestamp``, ``output_units``, ``unit``, ``cost_subtotal``, ``cost_discount``, ``cost_total``,
``cost_estimate_nano_usd``: ``cost_total`` in nano-dollars, exact).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_noop

from billing.suppliers.documents import Node, nodes, refuse_more_pages
from billing.suppliers.line import ReadLine
from billing.suppliers.raw import kept
from billing.suppliers.values import amount_of, moment_of
from once_delivery.common.sheets.problems import Problems

_NANO = Decimal("1e-9")
_SAME_TO = Decimal("1e-6")  # cost_total is a float beside the exact nano-dollars

DIFFER = gettext_noop("The cost is %(total)s dollars, but %(nano)s nano-dollars.")


def is_fal(document: Any) -> bool:
    """Whether ``document`` is a page of billing events."""
    return isinstance(document, Mapping) and "billing_events" in document


def read_fal(document: Mapping[str, Any], problems: Problems) -> Iterator[ReadLine]:
    """The events as lines; problems are added."""
    refuse_more_pages(document, problems)
    for node in nodes(document["billing_events"], ("billing_events",), problems):
        before = problems.count
        line = _line(node)
        if line is not None and problems.count == before:
            yield line


def _line(node: Node) -> ReadLine | None:
    amount = _amount(node)
    used_at = node.get("timestamp", lambda cell: moment_of(cell, UTC), needed=True)
    units = node.get("output_units", lambda cell: amount_of(cell, round_finer=True))
    request_id = node.word("request_id", needed=True)
    if amount is None or used_at is None:
        return None
    return ReadLine(
        row=node.row or 0,
        amount=amount,
        currency="USD",
        used_at=used_at,
        request_id=request_id,
        model=node.word("endpoint_id", 200),
        units=units or None,
        unit=node.word("unit", 60) or ("output" if units else ""),
        description=node.word("username", 200),
        raw=kept(node.value),
        place=node.place,
    )


def _amount(node: Node) -> Decimal | None:
    """Nano-dollars where they are told, since they are exact; else ``cost_total``."""
    total = node.get("cost_total", lambda cell: amount_of(cell, round_finer=True))
    nano = node.get("cost_estimate_nano_usd", lambda cell: amount_of(cell, round_finer=True))
    if nano is None:
        return total if total is not None else node.get("cost_total", amount_of, needed=True)
    exact = amount_of(nano * _NANO, round_finer=True)
    if total is not None and abs(total - exact) > _SAME_TO:
        node.problems.add("amounts-differ", DIFFER, place=node.place("cost_total"), total=total, nano=nano)
    return exact
