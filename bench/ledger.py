"""Durable actions per second through the ledger, beside what else could be done with the same database.

make bench                          about five minutes
python -m bench.ledger --quick      about one minute
python -m bench.ledger --json FILE  the figures in a file as well
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench.place import STATE_DIR, BusyError, conninfo, environment, server
from bench.scale import FULL, QUICK, Scale
from bench.two_commits import make_tables

if TYPE_CHECKING:
    from bench.costs import Cost
    from bench.measuring import Measured
    from bench.planning import Planned, Size
    from once_delivery.common.embedded_postgres import EmbeddedPostgres
    from once_delivery.targets.models import Target


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. 0 when it was measured, whatever came out; 2 when it could not be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    given = parser.parse_args(arguments)
    os.environ.clear()
    os.environ.update(environment())
    begun = time.monotonic()
    try:
        with server() as found:
            _run(found, QUICK if given.quick else FULL, given.json)
    except BusyError:
        print("Another benchmark runs in this checkout.", file=sys.stderr)
        return 2
    print(f"\n{time.monotonic() - begun:.0f} seconds")
    return 0


def _run(found: EmbeddedPostgres, scale: Scale, file: Path | None) -> None:
    import django  # noqa: PLC0415 - the environment is set first

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    from bench import facts, planning, report, seed  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    shown = facts.machine_facts(conninfo(found), STATE_DIR)
    print(report.facts_lines(shown), flush=True)
    target = seed.noop_target(seed.make_project())
    plans, room = _plans(target, scale)
    asked = planning.ask(target, scale.asked)
    measured, cost = _rates(found, target, scale)
    shown["load after"] = facts.load()
    print(
        f"\n{report.rates_table(measured)}\n\n{report.aims(measured)}\n{report.quiet_line(measured)}\n\n{report.cost_line(cost)}\n"
    )
    print(f"{report.asked_line(asked, measured)}\n")
    print(f"{report.plans_table(plans)}\n\n{report.size_line(room)}\n\nload after: {shown['load after']}")
    if file is not None:
        file.write_text(
            json.dumps(
                report.figures(
                    facts=shown, measured=measured, cost=cost, asked=asked, plans=plans, room=room
                ),
                indent=2,
            )
            + "\n",
            encoding="utf-8",
        )


def _plans(target: Target, scale: Scale) -> tuple[list[tuple[str, Planned]], Size]:
    """First of all, so that the tables hold nothing else."""
    from bench import planning, seed  # noqa: PLC0415
    from bench.measuring import say  # noqa: PLC0415

    say(f"asking for {scale.planned:,} actions, planning, performing")
    seeded = seed.make_batch(target, name="planned", actions=scale.planned)
    plans = [("nothing was sent yet", planning.plan(seeded))]
    planning.fail_in_the_middle(seeded, scale.planned)
    plans.append(("it failed in the middle", planning.plan(seeded)))
    planning.finish(seeded)
    plans.append(("everything is done", planning.plan(seeded)))
    return plans, planning.size(scale.planned)


def _rates(found: EmbeddedPostgres, target: Target, scale: Scale) -> tuple[list[Measured], Cost]:
    from bench import costs, place, seed  # noqa: PLC0415
    from bench.at_sandbox import sandbox_target  # noqa: PLC0415
    from bench.line_up import line_up  # noqa: PLC0415
    from bench.measuring import measure  # noqa: PLC0415
    from once_delivery.sandbox.process import SandboxProcess  # noqa: PLC0415

    noop = seed.make_batch(target, name="noop", actions=1)
    make_tables(conninfo(found), model_action=seed.first_action(noop).pk)
    with (
        tempfile.TemporaryDirectory(prefix="once-bench-") as folder,
        SandboxProcess(Path(folder)) as process,
    ):
        sandbox = seed.make_batch(sandbox_target(target.project, process.admin), name="sandbox", actions=1)
        contenders = line_up(found, noop=noop, sandbox=sandbox)
        measured = measure(
            contenders, postmaster=place.postmaster(found), rounds=scale.rounds, seconds=scale.seconds
        )
    return measured, costs.watch(noop, seconds=scale.seconds)


if __name__ == "__main__":
    sys.exit(main())
