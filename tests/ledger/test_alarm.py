"""The kernel ends a sender that outlives its lease, before it runs another instruction (R2, FAULTS 6)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from once_delivery.ledger.alarm import SLACK_S, AlarmTakenError, LeaseAlarm
from once_delivery.ledger.models import Attempt
from once_delivery.targets.base import Answer, EffectRequest
from tests.builders import the_action
from tests.fakes.connector import FakeTarget
from tests.fakes.rival import run_before
from tests.ledger.given import LEASE_S, a_batch_of, perform

LEASE = 0.6
# The process stops itself after its last check and sends as soon as it goes on.
FROZEN = """
import os, signal
from once_delivery.ledger.alarm import ALARM
hold = ALARM.hold({lease})
{before}
assert hold.remaining_s() > 0
os.kill(os.getpid(), signal.SIGSTOP)
os.write(1, b"sent")
"""
IN_THREAD = """
import os, signal, threading
from once_delivery.ledger.alarm import ALARM
from once_delivery.ledger.thread_timer import ending_this_thread
hold = ALARM.hold({lease})
def send():
    with ending_this_thread(hold.ends):
        # to this thread, so that it is stopped here and not some instructions later
        signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)
        os.write(1, b"sent")
thread = threading.Thread(target=send)
thread.start()
thread.join()
"""


def run(script: str, *, frozen_s: float | None = None) -> tuple[int, bytes]:
    """The exit code and the output of a process, which is frozen in between when it stops itself."""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as child:
        if frozen_s is not None:
            os.waitpid(child.pid, os.WUNTRACED)
            time.sleep(frozen_s)
            os.kill(child.pid, signal.SIGCONT)
        output, _ = child.communicate(timeout=20)
    return child.returncode, output


@pytest.mark.parametrize("script", [FROZEN, IN_THREAD], ids=["main thread", "pool thread"])
@pytest.mark.parametrize("number", range(3))
def test_a_sender_that_was_frozen_past_its_lease_never_sends(script: str, number: int) -> None:
    """R2: no handler, no check of its own comes first."""
    code, output = run(script.format(lease=LEASE, before=""), frozen_s=LEASE)

    assert (code, output) == (-signal.SIGALRM, b"")


def test_without_the_timer_it_would_have_sent() -> None:
    """The test tests something."""
    without = "signal.setitimer(signal.ITIMER_REAL, 0)"

    assert run(FROZEN.format(lease=LEASE, before=without), frozen_s=LEASE) == (0, b"sent")


def test_a_sender_that_goes_on_in_time_sends() -> None:
    assert run(FROZEN.format(lease=20.0, before=""), frozen_s=0.2) == (0, b"sent")


def test_a_sender_that_is_slow_by_itself_is_ended_as_well() -> None:
    script = f"""
import time
from once_delivery.ledger.alarm import ALARM
ALARM.hold({LEASE})
time.sleep(10)
print("sent", flush=True)
"""
    began = time.monotonic()

    assert run(script) == (-signal.SIGALRM, b"")
    assert time.monotonic() - began < 8


@pytest.mark.parametrize(
    ("_case", "lines", "code"),
    [
        ("released", "ALARM.release(a)", 0),
        ("released twice", "ALARM.release(a); ALARM.release(a)", 0),
        ("the later one released", "b = ALARM.hold(60); ALARM.release(b)", -signal.SIGALRM),
        ("the earlier one released", "b = ALARM.hold(60); ALARM.release(a)", 0),
        (
            "an earlier one taken later",
            "b = ALARM.hold(60); ALARM.release(a); ALARM.hold(0.4)",
            -signal.SIGALRM,
        ),
        ("a lease that is over at once", "ALARM.release(a); ALARM.hold(0)", -signal.SIGALRM),
    ],
)
def test_the_timer_stands_at_the_earliest_end(_case: str, lines: str, code: int) -> None:
    script = f"""
import time
from once_delivery.ledger.alarm import ALARM
a = ALARM.hold({LEASE})
{lines}
time.sleep({LEASE})
"""
    assert run(script)[0] == code


def test_a_forked_child_is_not_ended_for_its_parents_lease() -> None:
    script = f"""
import os, time
from once_delivery.ledger.alarm import ALARM
hold = ALARM.hold({LEASE})
child = os.fork()
if child == 0:
    time.sleep({LEASE})
    os._exit(7)
ALARM.release(hold)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run(script)[0] == 7


@pytest.fixture(params=[signal.SIG_IGN, lambda *_: None], ids=["ignored", "handled"])
def taken(request: pytest.FixtureRequest) -> Iterator[None]:
    """Something else has its hand on SIGALRM."""
    before = signal.signal(signal.SIGALRM, request.param)
    yield
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("taken")
def test_where_the_alarm_is_taken_nothing_may_be_sent() -> None:
    """R2: a Python handler would come too late, an ignored signal never."""
    with pytest.raises(AlarmTakenError):
        LeaseAlarm().hold(60.0)

    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("taken")
def test_where_the_alarm_is_taken_nothing_is_even_claimed(fake: FakeTarget) -> None:
    batch = a_batch_of()

    with pytest.raises(AlarmTakenError):
        perform(batch, fake)

    assert (the_action(batch).state, Attempt.objects.count(), fake.creates) == ("planned", 0, [])


@pytest.mark.django_db(transaction=True)
def test_the_timer_is_armed_before_the_claim_and_ends_before_the_lease(
    fake: FakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R2: its end lies before the one that the database grants."""
    left: dict[str, float] = {}

    def note(name: str) -> Any:
        return lambda *_: left.setdefault(name, signal.getitimer(signal.ITIMER_REAL)[0])

    def send(target: FakeTarget, request: EffectRequest) -> Answer:
        note("while sending")()
        return target.create(request)

    batch = a_batch_of()
    run_before(
        monkeypatch, "once_delivery.ledger.services.perform_group.claim_group", note("before the claim")
    )
    run_before(monkeypatch, "once_delivery.ledger.services.recorder.record_answers", note("while recording"))
    fake.scripted = [send]

    perform(batch, fake)

    assert LEASE_S - SLACK_S - 5 < left["while sending"] <= left["before the claim"] <= LEASE_S - SLACK_S
    assert left["while recording"] == 0.0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.django_db(transaction=True)
def test_the_timer_is_off_when_nothing_was_due(fake: FakeTarget) -> None:
    batch = a_batch_of()
    perform(batch, fake)

    assert perform(batch, fake) is None
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
