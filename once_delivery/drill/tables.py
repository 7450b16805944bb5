"""The report as a table in a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from once_delivery.drill.wording import GUARDS, ROUNDS, WHY
from once_delivery.ledger.states import State

MOST_LINES = 12  # of one round; larger rounds are told by letter


def lines(report: dict[str, Any]) -> Iterator[str]:
    """The whole report, line by line."""
    for one in report["rounds"]:
        verdict = _("PASS") if one["passed"] else _("FAIL")
        yield ""
        yield f"{_('Guard')}: {GUARDS[one['guard']]} · {ROUNDS[one['round']]} · {one['seconds']} s · {verdict}"
        yield from table(_rows(one["items"]))
        totals = one["totals"]
        yield (
            "  "
            + _(
                "target's inventory: %(held_before)s before, %(held_now)s now, %(deleted)s deleted; "
                "create calls: %(calls_first)s at first, %(calls_recovery)s in recovery"
            )
            % totals
        )
        yield f"  {one['page']}"


def _rows(items: Sequence[dict[str, Any]]) -> list[list[str]]:
    head = [
        "",
        _("task"),
        _("before"),
        _("sent"),
        _("result ID"),
        _("held now"),
        _("state"),
        _("verdict"),
        _("why"),
    ]
    shown = items if len(items) <= MOST_LINES else _worst_first(items)[:MOST_LINES]
    rows = [head, *(_row(item) for item in shown)]
    if len(shown) < len(items):
        rest = len(items) - len(shown)
        passed = sum(item["passed"] for item in items)
        rows.append(
            [
                "…",
                _("%(rest)s more; %(passed)s of %(all)s passed")
                % {"rest": rest, "passed": passed, "all": len(items)},
                "",
                "",
                "",
                "",
                "",
                "",
                "",
            ]
        )
    return rows


def _worst_first(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(items, key=lambda item: (item["passed"], item["letter"]))


def _row(item: dict[str, Any]) -> list[str]:
    owner = f" ({item['owner']})" if item["owner"] else ""
    return [
        item["letter"],
        item["identity"],
        _ids(item["before"]),
        f"{item['sent_first']}+{item['sent_in_recovery']}",
        _middle(item["result_id"]) or "–",
        _ids([one["id"] for one in item["now"] if not one["deleted"]]),
        f"{State(item['state']).label}{owner}",
        _("pass") if item["passed"] else _("FAIL"),
        str(WHY[item["why"]]),
    ]


def _ids(ids: Sequence[str]) -> str:
    return f"{len(ids)}: " + " ".join(_middle(one) for one in ids) if ids else "0"


def _middle(value: str) -> str:
    """IDs are cut in the middle, never at the end."""
    return value if len(value) <= 14 else f"{value[:6]}…{value[-6:]}"  # noqa: PLR2004


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows in columns; Chinese characters are two columns wide."""
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  " + "  ".join(cell + " " * (widths[n] - width(cell)) for n, cell in enumerate(row)).rstrip()


def width(text: str) -> int:
    """Columns of a terminal that ``text`` takes."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
