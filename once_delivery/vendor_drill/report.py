"""The report of one drill: for a page, for a machine, for a terminal. Everything in it is read from the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from once_delivery.drill.tables import table
from once_delivery.targets.check_words import KINDS
from once_delivery.vendor_drill.evidence import calls_of
from once_delivery.vendor_drill.items import items_of
from once_delivery.vendor_drill.models import UNDER_WAY, Declaration, Fault, ItemVerdict, VendorDrill
from once_delivery.vendor_drill.record import CallFact
from once_delivery.vendor_drill.troubles import sentence
from once_delivery.vendor_drill.wording import NOTES, PROVES, WHY

SCHEMA = 1
SHOWN_CALLS = 200


def document(drill: VendorDrill) -> dict[str, Any]:
    """One report for machines: codes, and the words for them in the active language."""
    verdicts = _verdicts(drill)
    return {
        "schema": SCHEMA,
        "drill": str(drill.uuid),
        "project": drill.project.code,
        "vendor": drill.vendor,
        "target": {"name": drill.target.name, "kind": drill.target.kind, "address": drill.target.base_url},
        "status": drill.status,
        "passed": passed_of(verdicts),
        "asked_at": _moment(drill.asked_at),
        "opened_at": _moment(drill.opened_at),
        "ends_at": _moment(drill.ends_at),
        "closed_at": _moment(drill.closed_at),
        "ended_at": _moment(drill.ended_at),
        "agreed": {
            "kind": drill.kind,
            "items": drill.count,
            "faults": drill.faults,
            "recognised_by": drill.recognise,
            "field": drill.place,
            "values": drill.values,
            "creates_at": drill.creates_at,
            "limit_s": drill.limit_s,
            "slow_s": drill.slow_s,
            "race_s": drill.race_s,
        },
        "trouble": sentence(drill.trouble),
        "items": verdicts,
        "declarations": [
            {"kind": one.kind, "item": one.item, "name": one.name, "note": one.note, "at": _moment(one.at)}
            for one in Declaration.objects.filter(drill=drill).order_by("pk")
        ],
        "calls": [call_document(call) for call in calls_of(drill)],
    }


def context(drill: VendorDrill) -> dict[str, Any]:
    """What the templates of a report and of the live page need."""
    calls = calls_of(drill)
    verdicts = _verdicts(drill)
    return {
        "drill": drill,
        "verdicts": [one for one in verdicts if one["item"]],
        "rest": next((one for one in verdicts if not one["item"]), None),
        "passed": passed_of(verdicts),
        "failed": sum(not one["passed"] for one in verdicts),
        "items": [_live_item(drill, one.letter, calls) for one in _items(drill)],
        "calls": [call_document(call) for call in calls[-SHOWN_CALLS:]],
        "calls_left_out": max(0, len(calls) - SHOWN_CALLS),
        "deletions": [call_document(call) for call in calls if call.method == "DELETE"],
        "declarations": Declaration.objects.filter(drill=drill).order_by("pk"),
        "under_way": drill.status in UNDER_WAY,
        "counts": KINDS[drill.kind],
        "fault_words": [str(Fault(one).label) for one in drill.faults],
        "trouble": sentence(drill.trouble),
    }


def passed_of(verdicts: Sequence[dict[str, Any]]) -> bool | None:
    """None: not judged."""
    return all(one["passed"] for one in verdicts) if verdicts else None


def call_document(call: CallFact) -> dict[str, Any]:
    return {
        "number": call.number,
        "at": _moment(call.at),
        "method": call.method,
        "path": call.path,
        "item": call.item,
        "creates": call.creates,
        "fault": call.fault,
        "fault_words": str(Fault(call.fault).label) if call.fault else "",
        "status": call.status,
        "given": call.given,
        "names": list(call.names),
        "shows": call.shows,
        "note": call.note,
        "note_words": " · ".join(str(NOTES.get(code, code)) for code in call.notes),
        "ended": call.ended,
        "body_sha256": call.body_sha256,
        "request_bytes": call.request_bytes,
        "answer_bytes": call.answer_bytes,
        "took_ms": call.took_ms,
    }


def lines(drill: VendorDrill) -> Iterator[str]:
    """The report in a terminal."""
    verdicts = _verdicts(drill)
    yield f"{drill.vendor} · {drill.target.name} · {drill.get_status_display()}"
    if drill.trouble:
        yield f"  {sentence(drill.trouble)}"
    if verdicts:
        head = ["", _("value"), _("requests to create"), _("held now"), _("gone"), _("verdict"), _("why")]
        yield from table([head, *(_line(one) for one in verdicts if one["item"])])
        for one in verdicts:
            if not one["item"]:
                yield f"  {_('pass') if one['passed'] else _('FAIL')}: {one['why_words']}"


def _line(one: dict[str, Any]) -> list[str]:
    live = [held["result_id"] for held in one["evidence"]["held"] if not held["trashed"]]
    return [
        one["item"],
        one["value"],
        str(one["evidence"]["sent"]),
        f"{len(live)}: {' '.join(live)}" if live else "0",
        str(len(one["evidence"]["gone"])),
        _("pass") if one["passed"] else _("FAIL"),
        one["why_words"],
    ]


def _verdicts(drill: VendorDrill) -> list[dict[str, Any]]:
    items = {one.letter: one for one in _items(drill)}
    rows = sorted(ItemVerdict.objects.filter(drill=drill), key=lambda one: one.item or "~")
    return [
        {
            "item": row.item,
            "value": items[row.item].value if row.item else "",
            "fault": str(items[row.item].fault or "") if row.item else "",
            "proves": str(PROVES[items[row.item].fault or ""]) if row.item else "",
            "passed": row.passed,
            "why": row.why,
            "why_words": str(WHY[row.why]),
            "evidence": row.evidence,
        }
        for row in rows
    ]


def _live_item(drill: VendorDrill, letter: str, calls: Sequence[CallFact]) -> dict[str, Any]:
    item = next(one for one in _items(drill) if one.letter == letter)
    own = [call for call in calls if call.item == letter]
    return {
        "letter": letter,
        "value": item.value,
        "fault": str(item.fault or ""),
        "fault_words": str(item.fault.label) if item.fault else "",
        "struck": any(call.fault for call in own),
        "waiting": any(call.fault and not call.ended for call in own),
        "sent": sum(call.creates and call.forwarded for call in own),
        "made": sum(call.made for call in own),
    }


def _items(drill: VendorDrill) -> Sequence[Any]:
    return items_of(drill.count, drill.values, drill.faults)


def _moment(at: Any) -> str | None:
    return at.isoformat() if at else None
