"""Write down how a request ended: what the target said, what the caller was given."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field

from once_delivery.vendor_drill.models import RecordedAnswer, VendorDrill

_SHORTEST_ID = 6  # a shorter ID is a number that stands in many answers


@dataclass(frozen=True, slots=True)
class Ended:
    """``text``: the beginning of the answer to a read, to see which items it shows; it is not kept."""

    status: int | None = None
    given: int | None = None
    names: list[str] = field(default_factory=list)
    text: str = ""
    note: str = ""
    body_sha256: str = ""
    request_bytes: int = 0
    answer_bytes: int = 0
    took_ms: float = 0.0


def record_answer(*, drill_id: int, call_id: int, path: str, ended: Ended) -> None:
    """Whether the drill is still open or not: what came late is kept too."""
    RecordedAnswer.objects.create(
        call_id=call_id,
        status=ended.status,
        given=ended.given,
        names=ended.names,
        shows=_shown(drill_id, path, ended.text) if ended.text else "",
        note=ended.note,
        body_sha256=ended.body_sha256,
        request_bytes=ended.request_bytes,
        answer_bytes=ended.answer_bytes,
        took_ms=round(ended.took_ms, 3),
    )


def _shown(drill_id: int, path: str, text: str) -> str:
    """Letters of the items that a read has shown to the caller."""
    drill = VendorDrill.objects.get(pk=drill_id)
    signs: dict[str, set[str]] = {
        letter: {value} for letter, value in zip(drill.letters, drill.values, strict=False)
    }
    made = RecordedAnswer.objects.filter(call__drill=drill, call__creates=True).values_list(
        "call__item", "names"
    )
    parts = set(path.partition("?")[0].split("/"))
    shown = set()
    for letter, names in made:
        signs.setdefault(letter, set()).update(name for name in names if len(name) >= _SHORTEST_ID)
        if parts & set(names):
            shown.add(letter)
    shown |= {letter for letter, known in signs.items() if any(_stands_in(text, sign) for sign in known)}
    return "".join(sorted(shown))


def _stands_in(text: str, sign: str) -> bool:
    """As it is, or as JSON or HTML writes it."""
    return bool(sign) and any(form in text for form in {sign, json.dumps(sign)[1:-1], html.escape(sign)})
