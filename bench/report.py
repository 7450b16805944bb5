"""The tables that ``make bench`` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bench.costs import Cost
from bench.measuring import Measured
from bench.planning import Asked, Planned, Size

Row = tuple[str, ...]
NONE = "–"
QUIET = 0.1  # of the processors
LEDGER = ("ledger-1", "ledger")


def rates_table(measured: Sequence[Measured]) -> str:
    """Contenders with their rates, and how many times those of the two that the aims name."""
    by_key = {one.contender.key: one for one in measured}
    rows: list[Row] = [("", "actions/s", "least", "most", "× pgbench", "× DBOS", "processor µs", "others")]
    for one in measured:
        if one.rate is None:
            rows.append((one.contender.title, *[NONE] * 7))
            continue
        rows.append(
            (
                one.contender.title,
                f"{one.rate:,.0f}",
                f"{min(one.rates):,.0f}",
                f"{max(one.rates):,.0f}",
                _times(one, by_key.get("pgbench")),
                _times(one, by_key.get("dbos")),
                NONE if one.processor_us is None else f"{one.processor_us:,.0f}",
                NONE if one.others is None else f"{one.others:.0%}",
            )
        )
    notes = [f"{one.contender.title}: {one.failed}" for one in measured if one.failed]
    return "\n".join([table(rows), *notes])


def aims(measured: Sequence[Measured]) -> str:
    """The two aims, and how far the ledger came in this run: with one process, and with all of them."""
    by_key = {one.contender.key: one for one in measured}
    lines = []
    for key, aim in (("pgbench", 2.0), ("dbos", 20.0)):
        other = by_key[key]
        said = [f"{by_key[mine].contender.title}: {_reached(by_key[mine], other, aim)}" for mine in LEDGER]
        lines.append(f"aim: {aim:.0f} × {other.contender.title}\n    " + "\n    ".join(said))
    return "\n".join(lines)


def quiet_line(measured: Sequence[Measured]) -> str:
    """Whether the machine was the benchmark's own."""
    shares = [one.others for one in measured if one.others is not None]
    worst = max(shares, default=0.0)
    if worst <= QUIET:
        return f"The machine was quiet: other programs had at most {worst:.0%} of it."
    return (
        f"The machine was NOT quiet: other programs had up to {worst:.0%} of it. Rates and ratios are lower or higher "
        "than on a quiet one: who runs more processes keeps more of a busy machine. Compare the processor time."
    )


def _reached(ledger: Measured, other: Measured, aim: float) -> str:
    found = ledger.times(other)
    if found is None:
        return "not measured"
    return f"{found:.1f} ×, {'reached' if found >= aim else 'NOT reached'}"


def asked_line(asked: Asked, measured: Sequence[Measured]) -> str:
    """What the ledger's rates leave out, and what they come to with it."""
    ledger = next(one for one in measured if one.contender.key == LEDGER[0]).rate
    both = (
        f", asking and performing one after the other {1 / (1 / asked.rate + 1 / ledger):,.0f}/s"
        if ledger
        else ""
    )
    return (
        f"asking for deliveries, one process: {asked.rate:,.0f}/s, measured on {asked.deliveries:,}{both}. "
        "The ledger's rates begin after it; DBOS's include it."
    )


def cost_line(cost: Cost) -> str:
    """Where the time goes."""
    clock, python, server, waiting = (
        f"{seconds / cost.actions * 1e6:.0f} µs"
        for seconds in (cost.clock_s, cost.python_s, cost.server_s, cost.waiting_s)
    )
    return (
        f"an action in one process, no-op target: {clock} by the clock = {python} Python + {server} PostgreSQL + "
        f"{waiting} waiting; {cost.log_bytes / cost.actions:,.0f} bytes of PostgreSQL's log"
    )


def plans_table(plans: Sequence[tuple[str, Planned]]) -> str:
    """How long each plan took."""
    rows: list[Row] = [("plan of a resume", "actions", "seconds", "actions/s", "says")]
    for name, one in plans:
        says = ", ".join(f"{verb} {count:,}" for verb, count in one.verbs.items())
        rows.append(
            (name, f"{one.actions:,}", f"{one.seconds:.2f}", f"{one.actions / one.seconds:,.0f}", says)
        )
    return table(rows, words=frozenset({0, 4}))


def size_line(found: Size) -> str:
    """Room per million actions."""
    tables, indexes = found.per_million
    return (
        f"room per million actions: {tables + indexes:.2f} GB ({tables:.2f} GB rows, {indexes:.2f} GB indexes), "
        f"measured on {found.actions:,}: tasks, actions, attempts, receipts, looks, events, as they lie after the work"
    )


def facts_lines(facts: Mapping[str, str]) -> str:
    """What it was measured on."""
    return "\n".join(f"{name}: {value}" for name, value in facts.items())


def table(rows: Sequence[Row], *, words: frozenset[int] = frozenset({0})) -> str:
    """Columns of equal width: ``words`` begin at the left, figures end at the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            text.ljust(width) if column in words else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "─" * max(len(line) for line in lines), *lines[1:]])


def _times(one: Measured, other: Measured | None) -> str:
    found = one.times(other) if other is not None else None
    return NONE if found is None else f"{found:.2f}"


def figures(
    *,
    facts: Mapping[str, str],
    measured: Sequence[Measured],
    cost: Cost,
    asked: Asked,
    plans: Sequence[tuple[str, Planned]],
    room: Size,
) -> dict[str, Any]:
    """Everything that the tables say, for a program."""
    tables, indexes = room.per_million
    return {
        "facts": dict(facts),
        "rates": {
            one.contender.key: {
                "title": one.contender.title,
                "rates": one.rates,
                "failed": one.failed,
                "processor_us": one.processor_us,
                "others": one.others,
            }
            for one in measured
        },
        "cost": asdict(cost),
        "asked": asdict(asked),
        "plans": {name: {"actions": one.actions, "seconds": one.seconds} for name, one in plans},
        "gigabytes_per_million": {"rows": tables, "indexes": indexes, "measured_on": room.actions},
    }
