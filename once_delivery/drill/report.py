"""The report for a page: the stored facts with their words in the active language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders

from once_delivery.drill.models import Drill
from once_delivery.drill.wording import GUARDS, ROUNDS, WHY
from once_delivery.ledger.states import State


def context(drill: Drill) -> dict[str, Any]:
    """What the templates of a report need."""
    rounds = [
        {
            **one,
            "guard_word": GUARDS[one["guard"]],
            "round_word": ROUNDS[one["round"]],
            "items": [
                {
                    **item,
                    "why_words": WHY[item["why"]],
                    "state_word": State(item["state"]).label,
                    "held": [held for held in item["now"] if not held["deleted"]],
                }
                for item in one["items"]
            ],
        }
        for one in drill.report.get("rounds", [])
    ]
    return {
        "drill": drill,
        "rounds": rounds,
        "count": sum(len(one["items"]) for one in rounds),
        "passed": sum(item["passed"] for one in rounds for item in one["items"]),
    }


def stylesheet() -> str:
    """The report's style sheet, for a file that stands alone."""
    found = finders.find("drill/report.css")
    return Path(found).read_text(encoding="utf-8") if isinstance(found, str) else ""
