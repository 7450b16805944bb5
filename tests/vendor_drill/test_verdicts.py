"""Vendors that do it well and vendors that do not, through the proxy, judged from what the sandbox holds."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from once_delivery.vendor_drill.models import Declared, RecordedCall
from once_delivery.vendor_drill.report import document
from once_delivery.vendor_drill.services.declare import declare
from tests.vendor_drill.given import Vendor
from tests.workers import wait_for

Made = Callable[..., Vendor]


def test_a_workflow_that_sends_again_makes_two_and_fails(vendor: Made) -> None:
    one = vendor()
    assert one.create("Kettle")[0] == 201
    assert one.try_create("Lamp") is None  # committed, and the answer lost
    assert one.create("Lamp")[0] == 201  # "no success message" taken for "create again"
    assert one.create("Chair")[0] == 201
    assert one.held() == ["Chair", "Kettle", "Lamp", "Lamp"]
    assert one.finish() == {
        "A": (True, "reused"),
        "B": (False, "duplicate"),
        "C": (True, "created-once"),
        "": (True, "rest-untouched"),
    }


def test_a_workflow_that_looks_first_passes(vendor: Made) -> None:
    one = vendor()
    one.create("Kettle")
    assert one.try_create("Lamp") is None
    status, found = one.ask("GET", "/drafts?status=any")
    assert (status, [each["title"] for each in found["items"]]) == (200, ["Kettle", "Lamp"])
    one.create("Chair")
    assert one.finish()["B"] == (True, "found-again")
    assert one.drill.status == "finished"


def test_a_loss_that_nobody_looks_into_stays_unknown_until_somebody_has_it(vendor: Made) -> None:
    for declared, verdict in ((False, (False, "left-unknown")), (True, (True, "stopped"))):
        one = vendor()
        for title in ("Kettle", "Lamp", "Chair"):
            one.try_create(title)
        if declared:
            declare(drill=one.drill, kind=Declared.STOPPED, item="B", name="Lin Yue", user=None)
        assert one.finish()["B"] == verdict


def test_creating_anew_and_deleting_the_old_one_is_seen(vendor: Made) -> None:
    one = vendor()
    _, first = one.create("Kettle")
    one.try_create("Lamp")
    one.ask("GET", "/drafts?status=any")
    one.create("Chair")
    one.create("Kettle")  # the whole workflow again
    assert one.ask("DELETE", f"/drafts/{first['id']}")[0] == 204
    assert one.held() == ["Chair", "Kettle", "Lamp"]  # a panel would be green
    verdicts = one.finish()
    assert verdicts["A"] == (False, "recreated")
    evidence = one.drill.verdicts.get(item="A").evidence
    assert (evidence["gone"], len(evidence["deleted_by"])) == ([[first["id"]]], 1)


def test_what_is_made_past_the_proxy_is_counted_too(vendor: Made) -> None:
    one = vendor()
    for title in ("Kettle", "Lamp", "Chair"):
        one.try_create(title)
    one.admin.make(one.target.name, "drafts", title="Lamp")
    one.admin.make(one.target.name, "drafts", title="Something else")
    verdicts = one.finish()
    assert (verdicts["B"], verdicts[""]) == ((False, "duplicate"), (False, "strays"))


def test_every_fault_strikes_once_and_a_careful_workflow_passes_them_all(vendor: Made) -> None:
    faults = ("answer_lost", "error_before", "slow_commit", "two_at_once")
    one = vendor(5, faults=faults)
    assert one.create("Kettle")[0] == 201
    assert one.try_create("Lamp") is None
    one.ask("GET", "/drafts?status=any")
    assert one.try_create("Chair") == 500
    assert one.held() == ["Kettle", "Lamp"]  # the target never saw it
    assert one.create("Chair")[0] == 201
    assert one.try_create("Vase", timeout=0.1) is None  # the caller gives up, the commit comes later
    first = threading.Thread(target=one.try_create, args=("Desk",))
    first.start()
    declare(drill=one.drill, kind=Declared.SECOND_RUN, item="E", name="Lin Yue", user=None)
    first.join()
    one.ask("GET", "/drafts?status=any")
    assert one.finish() == {
        "A": (True, "reused"),
        "B": (True, "found-again"),
        "C": (True, "created-once"),
        "D": (True, "found-again"),
        "E": (True, "only-one-asked"),
        "": (True, "rest-untouched"),
    }
    struck = RecordedCall.objects.filter(drill=one.drill).exclude(fault="").order_by("pk")
    assert [call.fault for call in struck] == list(faults)


def test_two_at_once_are_let_go_together_and_make_two(vendor: Made) -> None:
    one = vendor(2, faults=("two_at_once",))
    one.create("Kettle")
    both = [threading.Thread(target=one.try_create, args=("Lamp",)) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert one.held() == ["Kettle", "Lamp", "Lamp"]
    assert one.finish()["B"] == (False, "not-race-safe")


def test_a_race_is_a_race_when_one_of_the_two_has_given_up(
    vendor: Made, caplog: pytest.LogCaptureFixture
) -> None:
    one = vendor(2, faults=("two_at_once",))
    one.create("Kettle")
    assert one.try_create("Lamp", timeout=0.2) is None  # held, and its caller is gone
    assert one.create("Lamp")[0] == 201
    wait_for(lambda: one.held() == ["Kettle", "Lamp", "Lamp"], 10)
    assert one.finish()["B"] == (False, "not-race-safe")
    struck = RecordedCall.objects.get(drill=one.drill, fault="two_at_once").answer
    assert (struck.note, struck.given) == ("raced caller-gone", None)
    assert "let go together with another one · the caller had gone" in str(document(one.drill))
    assert not [line for line in caplog.records if line.levelname == "ERROR"]


def test_a_race_that_never_was_proves_nothing(vendor: Made) -> None:
    one = vendor(2, faults=("two_at_once",), race_s=0.1)
    one.create("Kettle")
    one.create("Lamp")
    assert one.finish()["B"] == (False, "not-raced")


def test_by_order_the_same_body_is_the_same_item(vendor: Made) -> None:
    one = vendor(recognise="order", place="", values=())
    one.create("x")
    assert one.try_create("y") is None
    one.create("z")
    one.create("y")
    calls = RecordedCall.objects.filter(drill=one.drill).order_by("pk")
    assert [call.item for call in calls] == ["A", "B", "C", "B"]
    assert one.finish()["B"] == (False, "duplicate")
