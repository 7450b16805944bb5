"""The table of what each case left in the target, a column for each way of building the workflow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.real.n8n.cases import CASES
from tests.real.n8n.playing import Played

COLUMNS = {"alone": "n8n alone", "gateway": "gateway.json", "permit": "permit.json"}
HEADING = "B is created, its answer is lost; then"


@dataclass
class Report:
    """What was played, by column and by case."""

    columns: dict[str, Mapping[str, Played]] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """The table as Markdown."""
        shown = [key for key in COLUMNS if key in self.columns]
        rows = [[HEADING, *(COLUMNS[key] for key in shown)]]
        rows += [
            [case.title, *(_cell(self.columns[key].get(case.key)) for key in shown)]
            for case in CASES
            if any(case.key in self.columns[key] for key in shown)
        ]
        widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
        rows.insert(1, ["-" * width for width in widths])
        for row in rows:
            yield f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |"


def _cell(played: Played | None) -> str:
    if played is None:
        return "not played"
    too_many = sum(count - 1 for count in played.held.values())
    return f"{played.counted}: {f'{too_many} too many' if too_many else 'one each'}"
