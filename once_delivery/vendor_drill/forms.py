"""What a person has typed about a new drill, as an agreement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import QueryDict

from once_delivery.common.digits import whole_number
from once_delivery.common.redact import storable
from once_delivery.targets.base import Kind
from once_delivery.vendor_drill.agreement import Agreement
from once_delivery.vendor_drill.models import Fault, Recognise

MINUTES = (15, 30, 60, 120, 240, 480, 1440, 4320)


@dataclass(frozen=True, slots=True)
class Typed:
    """Every field as it was typed; ``wrong``: the name of the field that was refused."""

    values: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] = (Fault.ANSWER_LOST,)
    wrong: str = ""
    error: str = ""


DEFAULTS = {
    "vendor": "",
    "what": "",
    "kind": Kind.CREATE_DRAFT,
    "count": "3",
    "recognise": Recognise.JSON,
    "place": "/title",
    "values": "",
    "creates_at": "",
    "limit": "60",
    "slow_s": "20",
    "race_s": "30",
}


def typed_of(posted: QueryDict, *, wrong: str = "", error: str = "") -> Typed:
    values = {name: storable(posted.get(name, default)[:20_000]) for name, default in DEFAULTS.items()}
    return Typed(values, tuple(posted.getlist("fault")), wrong, error)


def agreement_of(typed: Typed) -> Agreement:
    """What is not a number becomes one that is refused with its field named."""
    given = typed.values
    by_order = given["recognise"] == Recognise.ORDER
    return Agreement(
        vendor=given["vendor"],
        count=_whole(given["count"]),
        faults=typed.faults,
        recognise=given["recognise"],
        kind=given["kind"],
        place="" if by_order else given["place"].strip(),
        values=() if by_order else tuple(one.strip() for one in given["values"].splitlines() if one.strip()),
        creates_at=given["creates_at"].strip(),
        limit_s=_whole(given["limit"]) * 60,
        slow_s=float(_whole(given["slow_s"])),
        race_s=float(_whole(given["race_s"])),
    )


def _whole(text: str) -> int:
    return whole_number(text.strip(), most=99_999) or 0  # what fits no field
