"""The tables of ``make faults``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tests.faults import plain
from tests.faults.judging import Verdict
from tests.faults.nine import Fault


def verdicts(
    faults: Sequence[Fault], found: Mapping[str, Verdict], *, with_owners: bool = False
) -> Iterator[str]:
    """One line a fault, and below it what is wrong."""
    head = ["", "fault", "objects", "create calls", "end state", "resolved in", "cases", "verdict"]
    rows = []
    for fault in faults:
        one = found[fault.key]
        told = f"{one.cases} ({', '.join(one.owners)})" if one.owners else str(one.cases)
        rows.append(
            [
                fault.key,
                fault.title,
                str(one.objects),
                str(one.create_calls),
                ", ".join(f"{state} {count}" for state, count in sorted(one.states.items())),
                f"{one.seconds:.1f} s",
                told,
                _word(one, with_owners=with_owners),
            ]
        )
    yield from table([head, *rows])
    for fault in faults:
        for problem in found[fault.key].problems:
            yield f"  {fault.key}: {problem}"


def _word(one: Verdict, *, with_owners: bool) -> str:
    if not one.passed:
        return "FAIL"
    if with_owners and one.cases:
        return "never twice, somebody told"
    return "exactly one each"


def beside(faults: Sequence[Fault], counts: Mapping[tuple[str, str], plain.Count]) -> Iterator[str]:
    """The same faults on the other senders: objects / create calls, and what became of the items."""
    head = ["", "fault", *(plain.TITLES[kind] for kind in plain.KINDS)]
    rows = [
        [fault.key, fault.title, *(_cell(counts[fault.key, kind]) for kind in plain.KINDS)]
        for fault in faults
    ]
    yield from table([head, *rows])


def _cell(count: plain.Count) -> str:
    return f"{count.objects}/{count.create_calls} {count.said}"


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns side by side."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
