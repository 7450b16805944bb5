"""The drill of a vendor on two real workflows: a Celery script with retries must fail, the same with a permit must pass."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from once_delivery.sandbox.process import SandboxProcess
from tests.builders import a_project
from tests.real.vendor_workflow.at_work import Workplace
from tests.real.vendor_workflow.permits import permits_for
from tests.vendor_drill.given import TITLES, Vendor, a_vendor, agreed, proxy_running

FAULTS = ("answer_lost", "error_before")  # of B and of C
WORK = {title.lower(): title for title in TITLES[:3]}


@pytest.fixture
def vendor(tmp_path: Path, transactional_db: None) -> Iterator[Vendor]:
    with SandboxProcess(tmp_path / "sandbox") as sandbox, proxy_running() as proxy:
        yield a_vendor(a_project(), sandbox.admin, proxy.port, agreed(faults=FAULTS))


@pytest.fixture
def workplace(tmp_path: Path, vendor: Vendor) -> Workplace:
    address = f"http://127.0.0.1:{vendor.port}/{vendor.secret}"
    return Workplace(address, f"Bearer {vendor.token}", "sandbox", tmp_path)


def test_a_celery_script_with_retries_makes_two(vendor: Vendor, workplace: Workplace) -> None:
    workplace.work("plain", WORK)
    verdicts = vendor.finish()
    assert vendor.held() == ["Chair", "Kettle", "Lamp", "Lamp"]
    assert verdicts == {
        "A": (True, "reused"),
        "B": (False, "duplicate"),
        "C": (True, "created-once"),
        "": (True, "rest-untouched"),
    }


def test_the_same_with_a_permit_makes_one_of_each(
    vendor: Vendor, workplace: Workplace, live_server: LiveServer
) -> None:
    workplace.work("permitted", WORK, **permits_for(vendor.drill.project, live_server.url))
    verdicts = vendor.finish()
    assert vendor.held() == ["Chair", "Kettle", "Lamp"]
    assert verdicts == {
        "A": (True, "reused"),
        "B": (True, "found-again"),
        "C": (True, "created-once"),
        "": (True, "rest-untouched"),
    }
