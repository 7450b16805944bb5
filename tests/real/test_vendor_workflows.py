"""The drill of a vendor on two real workflows: a Celery script with retries must fail, the same with a permit must pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from once_delivery.ledger.models import RunTask
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.vendor_drill.models import Declared
from once_delivery.vendor_drill.services.declare import declare
from tests.builders import a_project
from tests.real.vendor_workflow.at_work import Workplace
from tests.real.vendor_workflow.permits import permits_for
from tests.vendor_drill.given import TITLES, Vendor, a_vendor, agreed, proxy_running

FAULTS = ("answer_lost", "error_before")  # of B and of C
WORK = {title.lower(): title for title in TITLES[:3]}
TWO = {title.lower(): title for title in TITLES[:2]}


Begin = Callable[..., tuple[Vendor, Workplace]]


@pytest.fixture
def begin(tmp_path: Path, transactional_db: None) -> Iterator[Begin]:
    """A drill on a space of the sandbox, and the vendor's machine."""

    def begun(count: int, *faults: str) -> tuple[Vendor, Workplace]:
        vendor = a_vendor(a_project(), sandbox.admin, proxy.port, agreed(count, faults=faults))
        address = f"http://127.0.0.1:{vendor.port}/{vendor.secret}"
        return vendor, Workplace(address, f"Bearer {vendor.token}", "sandbox", tmp_path)

    with SandboxProcess(tmp_path / "sandbox") as sandbox, proxy_running() as proxy:
        yield begun


def test_a_celery_script_with_retries_makes_two(begin: Begin) -> None:
    vendor, workplace = begin(3, *FAULTS)
    workplace.work("plain", WORK)
    verdicts = vendor.finish()
    assert vendor.held() == ["Chair", "Kettle", "Lamp", "Lamp"]
    assert verdicts == {
        "A": (True, "reused"),
        "B": (False, "duplicate"),
        "C": (True, "created-once"),
        "": (True, "rest-untouched"),
    }


def test_the_same_with_a_permit_makes_one_of_each(begin: Begin, live_server: LiveServer) -> None:
    vendor, workplace = begin(3, *FAULTS)
    workplace.work("permitted", WORK, **permits_for(vendor.drill.project, live_server.url))
    verdicts = vendor.finish()
    assert vendor.held() == ["Chair", "Kettle", "Lamp"]
    assert verdicts == {
        "A": (True, "reused"),
        "B": (True, "found-again"),
        "C": (True, "created-once"),
        "": (True, "rest-untouched"),
    }


def test_two_workers_of_the_script_at_once_make_two(begin: Begin) -> None:
    vendor, workplace = begin(2, "two_at_once")
    workplace.work("plain", TWO, twice=["lamp"])
    verdicts = vendor.finish()
    assert vendor.held() == ["Kettle", "Lamp", "Lamp"]
    assert verdicts == {"A": (True, "reused"), "B": (False, "not-race-safe"), "": (True, "rest-untouched")}


def test_of_two_with_a_permit_one_asks_the_cms(begin: Begin, live_server: LiveServer) -> None:
    """The second one was started while the first was held, and got no permit: that no proxy sees, so it is declared."""
    vendor, workplace = begin(2, "two_at_once")
    workplace.work("permitted", TWO, twice=["lamp"], **permits_for(vendor.drill.project, live_server.url))
    assert RunTask.objects.filter(task__product__code="lamp").count() == 2  # both have asked ONCE
    declare(drill=vendor.drill, kind=Declared.SECOND_RUN, item="B", name="Lin Yue", user=None)
    verdicts = vendor.finish()
    assert vendor.held() == ["Kettle", "Lamp"]
    assert verdicts == {"A": (True, "reused"), "B": (True, "only-one-asked"), "": (True, "rest-untouched")}
