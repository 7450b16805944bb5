"""The report as a table in a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from once_delivery.drill.wording import GUARDS, ROUNDS, WHY
from once_delivery.ledger.states import State

MOST_LINES = 6  # of one round; in larger ones what went the same way is one line


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
    if len(items) <= MOST_LINES:
        return [head, *(_row(item) for item in items)]
    alike: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for item in items:
        alike.setdefault((item["letter"], item["state"], item["why"]), []).append(item)
    return [head, *(_summary(group) for group in alike.values())]


def _summary(items: Sequence[dict[str, Any]]) -> list[str]:
    """Items that went the same way, in one line."""
    first = items[0]
    owners = sorted({item["owner"] for item in items if item["owner"]})
    return [
        first["letter"],
        _("%(count)s tasks") % {"count": len(items)},
        str(sum(len(item["before"]) for item in items)),
        f"{sum(item['sent_first'] for item in items)}+{sum(item['sent_in_recovery'] for item in items)}",
        str(sum(bool(item["result_id"]) for item in items)),
        str(sum(not held["deleted"] for item in items for held in item["now"])),
        f"{State(first['state']).label}{' (' + ', '.join(owners) + ')' if owners else ''}",
        f"{_('pass') if first['passed'] else _('FAIL')} {sum(item['passed'] for item in items)}/{len(items)}",
        str(WHY[first["why"]]),
    ]


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
