"""A probe whose process is killed in the middle: what it made is found and removed later, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.models import Measurement, Probe, ProbeMarker, ProbeStatus
from once_delivery.targets.profile import Guard
from once_delivery.targets.refutations import GuardRefutedError
from once_delivery.targets.services.clean_probes import clean_probes
from tests.probing.sandbox_target import SandboxTarget
from tests.workers import environment

pytestmark = pytest.mark.django_db(transaction=True)
SECONDS = 60.0


@contextmanager
def probing(target: SandboxTarget) -> Iterator[subprocess.Popen[bytes]]:
    """``manage.py probe_target`` in a process of its own, gone after the block."""
    command = [sys.executable, "manage.py", "probe_target", target.target.project.code, target.target.name]
    env = {**environment("memory://"), "SECRET_KEY": "tests"}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            yield process
        finally:
            process.kill()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("creates", [1, 4, 20])
def test_what_it_left_is_removed(admin: SandboxAdmin, creates: int) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID)
    strangers = [admin.make(target.space, "drafts", title=f"not ours {number}")["id"] for number in range(3)]
    admin.add_fault(target.space, "slow", times=0, seconds=0.15)
    with probing(target) as process:
        until(lambda: target.creates() >= creates or process.poll() is not None)
        until(lambda: len(target.held()) > len(strangers) or process.poll() is not None)
        assert process.poll() is None, process.stdout and process.stdout.read()
        process.kill()
        process.wait()
    left = [one for one in target.held() if one["id"] not in strangers]
    assert left
    # each of them has its row (R1)
    assert {one["marker"] for one in left} <= set(ProbeMarker.objects.values_list("marker", flat=True))
    assert Probe.objects.get().status == ProbeStatus.RUNNING
    admin.clear_faults(target.space)
    until(lambda: clean_probes(target=target.target).open == 0)
    assert {one["id"] for one in target.held()} == set(strangers)
    assert Probe.objects.get().status == ProbeStatus.BROKEN


def test_a_request_that_lands_after_the_first_clean_up(admin: SandboxAdmin) -> None:
    """It was written when its sender died, and the target commits it two seconds later."""
    target = SandboxTarget(admin, Guard.CLIENT_ID, claims={"settle_s": 6.0})
    admin.add_fault(target.space, "zombie", times=0, seconds=2.0)
    with probing(target) as process:
        until(lambda: bool(admin.log(target.space, operation="create")) or process.poll() is not None)
        assert process.poll() is None, process.stdout and process.stdout.read()
        process.kill()
        process.wait()
    assert target.held() == []
    cleaned = clean_probes(target=target.target)
    assert (cleaned.removed, cleaned.open) == (0, 1)
    assert cleaned.arrives_until is not None
    until(lambda: len(target.held()) == 1)
    assert clean_probes(target=target.target).removed == 1
    assert target.held() == []
    assert clean_probes(target=target.target).open == 0


def test_what_it_had_measured_counts(admin: SandboxAdmin) -> None:
    """It saw that the guard does not hold, and died before it had ended."""
    target = SandboxTarget(admin, Guard.CLIENT_ID, makes_second=True)
    admin.add_fault(target.space, "slow", times=0, seconds=0.05)
    with probing(target) as process:
        until(lambda: Measurement.objects.filter(claim="guard").exists() or process.poll() is not None)
        assert process.poll() is None, process.stdout and process.stdout.read()
        process.kill()
        process.wait()
    target.target.refresh_from_db()
    assert set(target.target.refuted) >= {"guard"}
    admin.clear_faults(target.space)
    until(lambda: clean_probes(target=target.target).open == 0)
    assert target.held() == []
    with pytest.raises(GuardRefutedError):
        target.save()
