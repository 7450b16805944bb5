"""The report for a page: the stored facts with their words in the active language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.utils import timezone
from django.utils.translation import gettext

from once_delivery.drill.models import Drill, DrillStatus
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
        "running": drill.status in {DrillStatus.ASKED, DrillStatus.RUNNING},
        "total": drill.report.get("total", 0),
        "took_s": int(((drill.finished_at or timezone.now()) - drill.started_at).total_seconds()),
        "trouble": _trouble(drill),
    }


def _trouble(drill: Drill) -> str:
    """Why it could not be run, in the reader's language."""
    if not drill.trouble:
        return ""
    return str(gettext(str(drill.trouble["template"])) % drill.trouble.get("params", {}))


def stylesheet() -> str:
    """The report's style sheet, for a file that stands alone."""
    found = finders.find("drill/report.css")
    return Path(found).read_text(encoding="utf-8") if isinstance(found, str) else ""
