"""Drills from their pages: started once, followed live, with the reason when one cannot be run."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client as Browser
from django.utils import timezone, translation

from once_delivery.accounts.models import Membership, Project, Role
from once_delivery.drill import tasks
from once_delivery.drill.errors import WHY_BROKEN, DrillBrokenError
from once_delivery.drill.models import Drill, DrillStatus
from once_delivery.drill.notebook import Notebook
from once_delivery.drill.services import ask_drill
from once_delivery.ledger.models import Action, Batch, Task
from once_delivery.ledger.services.work_all import due_targets
from once_delivery.review.models import VisibleDraft
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from tests.builders import a_batch, a_delivery, a_target, a_user
from tests.drill.given import a_project_with_products
from tests.drill.test_drill_target import a_space

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def project() -> Project:
    return a_project_with_products("demo")


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[SandboxProcess]:
    with SandboxProcess(tmp_path / "sandbox") as process:
        yield process


def browser_of(name: str, language: str = "en") -> Browser:
    browser = Browser(headers={"accept-language": language})
    browser.force_login(a_user(name))
    return browser


def start(what: str, name: str = "ops") -> Drill:
    assert browser_of(name).post("/drills/start/", {"what": what, "locales": "1"}).status_code == 302
    return Drill.objects.latest("pk")


def test_one_that_is_started_from_the_page_is_run_and_reported(
    project: Project, sandbox: SandboxProcess
) -> None:
    target = a_space(project, sandbox, Guard.LOOKUP)
    said = browser_of("ops").get("/drills/").content.decode()
    assert "6 drafts for each locale in 2 rounds" in said
    assert "24 drafts for each locale in 8 rounds" in said
    drill = start(str(target.uuid))
    assert drill.status == DrillStatus.ASKED
    assert "Under way" in browser_of("ops").get(f"/drills/{drill.uuid}/").content.decode()

    tasks.run_drill(drill.pk)
    tasks.run_drill(drill.pk)  # told twice

    drill.refresh_from_db()
    assert (drill.status, drill.trouble, drill.started_by) == (DrillStatus.PASSED, {}, a_user("ops"))
    assert [one["totals"]["held_now"] for one in drill.report["rounds"]] == [3, 3]
    assert len(sandbox.admin.objects("ordinary")) == 6
    stand_in = Target.objects.get(name__startswith="drill-")
    assert (stand_in.by_hand, stand_in.base_url) == (False, target.base_url)  # handed back, without the proxy
    # no content: nobody is asked to review it, and where it is opened it says so
    assert Action.objects.filter(target=stand_in, state="confirmed").count() == 6
    assert not VisibleDraft.objects.exists()
    for address in (
        f"/batches/{Batch.objects.earliest('pk').uuid}/",
        f"/tasks/{Task.objects.earliest('pk').uuid}/",
    ):
        assert "Made by a drill" in browser_of("ops").get(address).content.decode(), address
    offered = (
        browser_of("ops")
        .get("/review/")
        .content.decode()
        .partition('name="purpose"')[2]
        .partition("</select>")
    )
    assert (offered[1], "drill-" in offered[0]) == ("</select>", False)
    report = browser_of("ops").get(f"/drills/{drill.uuid}/").content.decode()
    assert "All 6 items were counted at the target" in report
    assert "hx-get" not in report


def test_items_that_the_target_refuses_are_named_with_its_answer(
    project: Project, sandbox: SandboxProcess
) -> None:
    target = a_space(project, sandbox, Guard.LOOKUP)
    sandbox.admin.put_space("ordinary", token="another-one")
    drill = start(str(target.uuid))

    tasks.run_drill(drill.pk)

    drill.refresh_from_db()
    assert drill.status == DrillStatus.BROKEN
    said = browser_of("ops").get(f"/drills/{drill.uuid}/").content.decode()
    assert "The drill could not be run" in said
    assert "http-401" in said or "unauthorized" in said
    assert "演练没有完成" in browser_of("ops", "zh-hans").get(f"/drills/{drill.uuid}/").content.decode()


def test_the_house_leaves_to_a_drill_what_is_its_own(project: Project) -> None:
    """Its workers would perform C, which must stay undone, and keep B's answer."""
    target = a_target(project)
    a_batch(project, a_delivery("vase"))
    assert due_targets() == [target.pk]
    Target.objects.filter(pk=target.pk).update(by_hand=True)
    assert due_targets() == []


def test_a_second_one_of_a_project_is_refused_while_one_is_under_way(project: Project) -> None:
    start("sandbox:demo")
    refused = browser_of("ops").post("/drills/start/", {"what": "sandbox:demo"})
    assert refused.status_code == 409
    assert "is under way already" in refused.content.decode()
    Drill.objects.update(status=DrillStatus.RUNNING)
    assert browser_of("ops").post("/drills/start/", {"what": "sandbox:demo"}).status_code == 409
    assert Drill.objects.count() == 1


def test_only_ops_and_admin_of_the_project_start_one(project: Project) -> None:
    other = a_project_with_products("other")
    Membership.objects.filter(project=other).delete()
    for name, role in (("vic", Role.VIEWER), ("mia", Role.MARKETING_LEAD)):
        Membership.objects.create(project=project, user=a_user(name), role=role)
        assert browser_of(name).post("/drills/start/", {"what": "sandbox:demo"}).status_code == 403
        assert "Start a drill" not in browser_of(name).get("/drills/").content.decode()
    assert browser_of("ops").post("/drills/start/", {"what": "sandbox:other"}).status_code == 404
    assert not Drill.objects.exists()


def test_a_live_target_is_not_offered(project: Project, sandbox: SandboxProcess) -> None:
    target = a_space(project, sandbox, Guard.LOOKUP, is_test=False)
    assert browser_of("ops").post("/drills/start/", {"what": str(target.uuid)}).status_code == 404


def test_what_a_drill_has_made_for_itself_is_no_target_of_people(project: Project) -> None:
    """Neither another drill's place, nor in the lists; its own page says what it is."""
    space = a_target(project, name="vendor-drill-0a1b2c3d")
    Target.objects.filter(pk=space.pk).update(is_test=True, of_drill=True)
    ops = browser_of("ops")
    for address in ("/drills/", "/drills/vendors/new/", "/targets/", "/batches/import/"):
        page = ops.get(address)
        assert (page.status_code, space.name in page.content.decode()) == (200, False), address
    assert ops.post("/drills/start/", {"what": str(space.uuid)}).status_code == 404
    assert ops.post("/drills/vendors/new/", {"what": str(space.uuid)}).status_code == 404
    assert "Made by a drill" in ops.get(f"/targets/{space.uuid}/").content.decode()


def test_the_first_visit_explains_and_later_ones_fold_it(project: Project) -> None:
    browser = browser_of("ops")
    first, second = (browser.get("/drills/").content.decode() for _ in range(2))
    assert '<details class="panel" open>' in first
    assert '<details class="panel">' in second
    assert "B: created, and the answer was lost" in second
    assert "B：已创建，答复丢失" in browser_of("ops", "zh-hans").get("/drills/").content.decode()


def test_what_is_judged_is_seen_while_it_runs(project: Project) -> None:
    drill = Drill.objects.create(project=project, status=DrillStatus.RUNNING)
    Notebook(drill, target="http://x", locales=["en-US"], total=8).note(
        {
            "guard": "lookup",
            "round": "one",
            "passed": True,
            "seconds": 1,
            "items": [],
            "page": "",
            "totals": {},
        }
    )
    part = browser_of("ops").get(f"/drills/{drill.uuid}/", headers={"hx-request": "true"}).content.decode()
    assert "1 of 8 rounds judged" in part
    assert "<html" not in part


def test_one_that_was_killed_or_never_taken_is_not_left_alone(project: Project) -> None:
    drill = start("sandbox:demo")
    assert ask_drill.unattended_drills() == []
    Drill.objects.update(woken_at=timezone.now() - timedelta(minutes=1))
    assert ask_drill.unattended_drills() == [drill.pk]
    Drill.objects.update(status=DrillStatus.RUNNING, started_at=timezone.now() - timedelta(hours=1))
    ask_drill.end_dead_drills()
    drill.refresh_from_db()
    assert (drill.status, drill.trouble["code"]) == (DrillStatus.BROKEN, "interrupted")
    assert "Start it again" in browser_of("ops").get(f"/drills/{drill.uuid}/").content.decode()


def test_a_target_that_is_gone_ends_the_drill_with_a_reason(
    project: Project, sandbox: SandboxProcess
) -> None:
    target = a_space(project, sandbox, Guard.LOOKUP)
    drill = start(str(target.uuid))
    Target.objects.filter(pk=target.pk).update(is_test=False)
    tasks.run_drill(drill.pk)
    drill.refresh_from_db()
    assert (drill.status, drill.trouble["code"]) == (DrillStatus.BROKEN, "drill-needs-test-target")


@pytest.mark.parametrize("why", sorted(WHY_BROKEN))
def test_every_reason_is_a_sentence(why: str) -> None:
    values = {"answers": "a", "said": "s", "seconds": 3, "code": "c"}
    error = DrillBrokenError(why, **values)
    with translation.override("en"):
        assert error.message.endswith((".", "a", "s"))
    for language in ("en", "zh-hans"):
        with translation.override(language):
            assert "%(" not in error.message


def test_who_waited_for_a_drill_gets_the_whole_page_with_its_buttons(project: Project) -> None:
    drill = Drill.objects.create(project=project, status=DrillStatus.RUNNING)
    waiting = {"hx-request": "true"}
    address = f"/drills/{drill.uuid}/"
    answer = browser_of("ops").get(address, headers=waiting)
    assert ("hx-refresh" in answer.headers, "hx-get" in answer.content.decode()) == (False, True)
    Drill.objects.filter(pk=drill.pk).update(status=DrillStatus.PASSED)
    assert browser_of("ops").get(address, headers=waiting).headers["hx-refresh"] == "true"
    assert "data-print" in browser_of("ops").get(address).content.decode()
