"""``make faults``: play the nine faults on ONCE and on senders as they are usually written, and print what became of it.

Exit code 1 when ONCE fails one of them, 2 when the harness fails itself.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django

django.setup()

from once_delivery.targets.profile import Guard, Profile  # noqa: E402
from tests.faults import nine, plain, printing  # noqa: E402
from tests.faults.house import House  # noqa: E402
from tests.faults.nine import NINE, WITHOUT_ALARM, Fault  # noqa: E402
from tests.faults.world import TIMES  # noqa: E402

FAILED, HARNESS_FAILED = 1, 2


def main() -> int:
    options = _options()
    faults = [fault for fault in NINE if not options.only or fault.key in options.only]
    begun = time.monotonic()
    with House() as house:
        code = _nine(house, faults, options.items)
    say(f"\n{time.monotonic() - begun:.0f} s in all.")
    return code


def _nine(house: House, faults: Sequence[Fault], items: int) -> int:
    profile = Profile(deadline_s=TIMES["deadline_s"], settle_s=TIMES["settle_s"])
    say(
        f"ONCE on a target without any protection, {items} items each. Deadline {profile.deadline_s:.0f} s, "
        f"settle time {profile.settle_s:.0f} s, lease {profile.lease_s:.0f} s. "
        "Counted in the target's own inventory and log.\n"
    )
    with ThreadPoolExecutor(max_workers=1) as pool:
        check = (
            pool.submit(nine.play, house, WITHOUT_ALARM, items=items) if len(faults) == len(NINE) else None
        )
        found = nine.play_all(house, items=items, faults=faults)
        unprotected = check.result() if check else None
    _print(printing.verdicts(faults, found))
    say("\nThe same on senders as they are usually written (objects/create calls at the target):\n")
    counts = plain.play_all(house, items=items, keys=[fault.key for fault in faults])
    _print(printing.beside(faults, counts))
    say("\nONCE on a target that cannot even be asked (guard “none”): never twice, and a person is told.\n")
    asked = nine.play_all(house, items=items, guard=Guard.NONE, faults=faults)
    _print(printing.verdicts(faults, asked, with_owners=True))
    wrong = plain.not_caught(counts)
    if unprotected is not None:
        say(f"\n{WITHOUT_ALARM.title}: {unprotected.objects} objects of {items}, caught.")
        if not unprotected.duplicates:
            wrong.append("a holder that woke without its alarm was not caught sending")
    failed = [one for verdicts in (found, asked) for one in verdicts.values() if not one.passed]
    for line in wrong:
        say(f"THE HARNESS IS WRONG: {line}")
    say(f"\n{len(failed)} of {len(found) + len(asked)} failed." if failed else "\nEvery verdict is a pass.")
    return HARNESS_FAILED if wrong else FAILED if failed else 0


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        say(line)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make faults", description="What ONCE survives, in real processes.")
    parser.add_argument("--items", type=int, default=10, help="items of each case (default: 10)")
    parser.add_argument("--only", nargs="+", choices=[fault.key for fault in NINE], help="only these faults")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
