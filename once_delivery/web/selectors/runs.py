"""Software runs of a batch: what the program did. They say nothing about deliveries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from once_delivery.ledger.models import Batch, Run
from once_delivery.ledger.resume import Verb
from once_delivery.web.wording import VERBS

SHOWN = 12


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run, with what it found to do and what it left."""

    run: Run

    @property
    def did(self) -> list[tuple[str, int]]:
        """The plan that it began with, as verbs and numbers."""
        return _words(self.run.summary.get("before"))

    @property
    def left(self) -> list[tuple[str, int]]:
        """What it could not bring to rest."""
        left = self.run.summary.get("after")
        at_rest = {Verb.REUSE, Verb.NOTHING}
        return _words({verb: n for verb, n in left.items() if verb not in at_rest}) if left else []


@dataclass(frozen=True, slots=True)
class Runs:
    """The latest runs, and whether there were more."""

    rows: list[RunRow]
    more: bool

    @property
    def running(self) -> bool:
        return any(row.run.status == "running" for row in self.rows)


def runs_of(batch: Batch, touched: Sequence[int]) -> Runs:
    """Runs that were asked for this batch, and those of workers that ``touched`` its actions (by their IDs)."""
    found = Run.objects.filter(Q(batch=batch) | Q(pk__in=touched)).select_related("requested_by")
    rows = list(found.order_by("-started_at", "-pk")[: SHOWN + 1])
    return Runs([RunRow(run) for run in rows[:SHOWN]], more=len(rows) > SHOWN)


def _words(counted: Mapping[str, int] | None) -> list[tuple[str, int]]:
    found = counted or {}
    return [(str(words[0]), found[verb]) for verb, words in VERBS.items() if found.get(verb)]
