"""The pages of targets: what they say, what they never say, and what is asked for from them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Self

import pytest
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from once_delivery.common.secrets import seal
from once_delivery.ledger.models import Gate
from once_delivery.ledger.services.at_target import run_errand
from once_delivery.targets.base import CheckResult
from once_delivery.targets.models import Errand, ErrandKind, ErrandStatus, Probe, ProbeStatus, Target
from once_delivery.targets.probing.experiments import asked_of
from once_delivery.targets.probing.findings import Claim
from once_delivery.targets.services import check_target as checking
from once_delivery.targets.services import errands
from once_delivery.targets.services.errands import ask_errand, taken, unattended
from tests.builders import a_project, a_target
from tests.web.conftest import World, signed_in

SECRET = "not-for-any-page-9f3c"


def page(world: World, browser: Browser | None = None) -> str:
    return (browser or signed_in(world.alice)).get(f"/targets/{world.target.uuid}/").content.decode()


def refuted(target: Target, claim: Claim = Claim.GUARD) -> None:
    target.refuted = {
        claim: {
            "claimed": "lookup",
            "seen": "not-found",
            "numbers": {"limit_s": 5},
            "at": "2026-11-20T08:00:00+00:00",
        }
    }
    target.save()


def test_a_target_says_since_when_nothing_is_sent_and_why(world: World) -> None:
    refuted(world.target)
    said = page(world)
    assert "Nothing is sent here: “Guard” stands refuted since" in said
    assert "What was created was not found within 5 s." in said
    assert "Guard" in signed_in(world.alice).get("/targets/").content.decode()


def test_a_breaker_that_is_open_says_until_when(world: World) -> None:
    Gate.objects.update_or_create(
        target=world.target, defaults={"failures": 7, "open_until": timezone.now() + timedelta(minutes=2)}
    )
    assert "7 failures in a row" in page(world)
    assert "is left alone for a while" in signed_in(world.alice).get("/targets/").content.decode()


def test_what_came_back_is_counted_by_outcome(world: World) -> None:
    said = page(world)
    assert "refused, nothing was made" in said
    assert "The last success was at" in said


def test_credentials_are_never_shown(world: World) -> None:
    Target.objects.filter(pk=world.target.pk).update(
        credentials_sealed=seal({"token": SECRET}), credentials_at=timezone.now()
    )
    browser = signed_in(world.alice)
    session = browser.session
    session["confirmed_at"] = timezone.now().timestamp()
    session.save()
    shown = page(world, browser) + browser.get(f"/targets/{world.target.uuid}/edit/").content.decode()
    assert "set on" in shown
    assert SECRET not in shown


def test_a_test_is_asked_for_once_and_its_lines_say_what_to_do(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [CheckResult("connection", ok=True), CheckResult("cannot-publish", ok=False, code="may-publish")]
    _checks(monkeypatch, lines)
    browser = signed_in(world.alice)
    path = f"/targets/{world.target.uuid}/check/"

    browser.post(path)
    second = browser.post(path, follow=True).content.decode()
    errand = Errand.objects.get()
    assert "nothing was started a second time" in second
    assert run_errand(errand_id=errand.pk)
    assert not run_errand(errand_id=errand.pk)  # told twice

    assert "Give it a role that may only write drafts" in page(world)
    with translation.override("zh-hans"):
        assert "请给它只能写草稿的角色" in page(world, signed_in(world.alice, language="zh-hans"))


def test_why_it_was_not_done_is_said_in_the_readers_language(world: World) -> None:
    errand, _ = ask_errand(target=world.target, kind=ErrandKind.CHECK, user=world.alice)
    run_errand(errand_id=errand.pk)  # there is no connector of the kind "fake"
    errand.refresh_from_db()
    assert errand.trouble["code"] == "unknown-target-kind"
    assert "There is no connector named" in page(world)
    assert "没有" in page(world, signed_in(world.alice, language="zh-hans"))


def test_an_errand_that_was_killed_says_so(world: World) -> None:
    errand, _ = ask_errand(target=world.target, kind=ErrandKind.PROBE, user=world.alice)
    Errand.objects.filter(pk=errand.pk).update(status=ErrandStatus.RUNNING, taken_at=timezone.now())
    assert unattended((ErrandKind.PROBE,)) == []
    errand.refresh_from_db()
    assert (errand.status, errand.trouble["code"]) == ("failed", "interrupted")
    assert "Ask for it again" in page(world)


def test_an_errand_whose_message_was_lost_is_told_again(world: World) -> None:
    errand, _ = ask_errand(target=world.target, kind=ErrandKind.CHECK, user=world.alice)
    assert unattended((ErrandKind.CHECK,)) == []  # a moment ago
    Errand.objects.update(woken_at=timezone.now() - timedelta(seconds=errands.WAKE_AGAIN_S + 1))
    assert unattended((ErrandKind.CHECK,)) == [errand.pk]
    assert unattended((ErrandKind.CHECK,)) == []


def test_an_error_of_the_program_ends_the_errand_and_is_not_swallowed(world: World) -> None:
    errand, _ = ask_errand(target=world.target, kind=ErrandKind.CHECK, user=world.alice)
    with pytest.raises(ZeroDivisionError), taken(errand.pk):
        _ = 1 / 0
    errand.refresh_from_db()
    assert errand.status == ErrandStatus.FAILED


def test_a_probe_says_first_what_it_makes(world: World) -> None:
    browser = signed_in(world.alice)
    path = f"/targets/{world.target.uuid}/probe/"
    assert "it creates at most 9 throw-away drafts" in browser.get(path).content.decode()
    refused = browser.post(path)
    assert refused.status_code == 422
    assert "Tick this first" in refused.content.decode()
    assert not Errand.objects.exists()
    assert browser.post(path, {"confirmed": "yes"}).status_code == 302
    assert Errand.objects.get().options == {"confirmed": True}


def test_a_probe_can_be_followed_after_a_reload(world: World) -> None:
    errand, _ = ask_errand(target=world.target, kind=ErrandKind.PROBE, user=world.alice)
    now = timezone.now()
    Errand.objects.filter(pk=errand.pk).update(status=ErrandStatus.RUNNING, taken_at=now)
    probe = Probe.objects.create(
        target=world.target,
        profile_data=world.target.profile_data,
        settings_hash="x",
        status=ProbeStatus.RUNNING,
        started_at=now + timedelta(milliseconds=5),
    )
    probe.measurements.create(
        claim="absence", claimed="true", verdict="confirmed", seen="absent-complete", at=now
    )
    part = signed_in(world.alice).get(f"/targets/{world.target.uuid}/", headers={"hx-request": "true"})
    total = len(asked_of(world.target.claimed_profile))
    assert f"1 of {total} claims measured" in part.content.decode()
    assert "<html" not in part.content.decode()


@pytest.mark.parametrize("path", ["/targets/", "/targets/{uuid}/", "/targets/{uuid}/audits/"])
def test_no_page_asks_more_for_more_rows(world: World, path: str) -> None:
    _ = world.finding
    browser = signed_in(world.alice)
    address = path.format(uuid=world.target.uuid)

    def queries() -> int:
        browser.get(address)
        with CaptureQueriesContext(connection) as caught:
            assert browser.get(address).status_code == 200
        return len(caught)

    before = queries()
    for number in range(4):
        a_target(world.project, name=f"more-{number}")
        Probe.objects.create(
            target=world.target,
            profile_data={},
            settings_hash="x",
            started_at=timezone.now(),
            started_by=world.alice,
        )
    assert queries() == before
    assert before <= 34


def test_lists_name_nothing_of_another_tenant(world: World) -> None:
    theirs = a_target(a_project("elsewhere"), name="their-secret-cms")
    browser = signed_in(world.alice)
    assert "their-secret-cms" not in browser.get("/targets/").content.decode()
    assert browser.get(f"/targets/{theirs.uuid}/").status_code == 404


def _checks(monkeypatch: pytest.MonkeyPatch, lines: list[CheckResult]) -> None:
    class Connected:
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def check(self) -> list[CheckResult]:
            return lines

    def connected(target: Target) -> Any:
        return Connected()

    monkeypatch.setattr(checking, "connected", connected)


def test_a_target_lists_the_drills_that_were_asked_for_there(world: World, alice: Browser) -> None:
    address = f"/targets/{world.target.uuid}/"
    elsewhere = f"/drills/{world.drill.uuid}/"
    assert elsewhere not in alice.get(address).content.decode()
    world.drill.options = {"target": str(world.target.uuid)}
    world.drill.save(update_fields=["options"])
    assert elsewhere in alice.get(address).content.decode()
