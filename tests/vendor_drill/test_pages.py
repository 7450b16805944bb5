"""Vendors' drills from their pages, and from a terminal: agreed on, followed, finished, reported, compared."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.test import Client as Browser

from once_delivery.accounts.models import Membership, Project, Role
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.models import Target
from once_delivery.vendor_drill import tasks
from once_delivery.vendor_drill.models import VendorDrill
from tests.builders import a_project, a_user
from tests.vendor_drill.given import TITLES, Running, Vendor

Made = Callable[..., Vendor]
FORM = {
    "vendor": "Acme Flows",
    "what": "sandbox:aurora",
    "count": "3",
    "fault": ["answer_lost"],
    "recognise": "json",
    "place": "/title",
    "values": "\n".join(TITLES[:3]),
    "creates_at": "/drafts",
    "limit": "60",
    "slow_s": "20",
    "race_s": "30",
}


@pytest.fixture
def at_sandbox(monkeypatch: pytest.MonkeyPatch, sandbox: SandboxAdmin) -> None:
    monkeypatch.setenv("ONCE_SANDBOX_URL", sandbox.base_url)
    monkeypatch.setenv("ONCE_SANDBOX_ADMIN_TOKEN", sandbox._token)


def browser_of(name: str = "ops", language: str = "en") -> Browser:
    browser = Browser(headers={"accept-language": language})
    browser.force_login(a_user(name))
    return browser


def secrets_on(page: str) -> list[str]:
    return re.findall(r'<code class="mono break" translate="no">([^<]+)</code>', page)


def test_one_is_agreed_on_followed_finished_and_reported(
    proxy: Running, sandbox: SandboxAdmin, at_sandbox: None
) -> None:
    a_project()
    ops = browser_of()
    answer = ops.post("/drills/vendors/new/", FORM)
    assert answer.status_code == 302
    drill = VendorDrill.objects.latest("pk")
    assert drill.kind == "create_draft"
    where = answer.headers["Location"]
    base_url, token = secrets_on(ops.get(where).content.decode())
    assert secrets_on(ops.get(where).content.decode()) == []  # shown once
    tasks.count(drill.pk)  # before

    one = Vendor(drill, urlsplit(base_url).path.strip("/"), token, proxy.port, sandbox, drill.target)
    for title in TITLES[:3]:
        one.try_create(title)
    live = ops.get(where, headers={"hx-request": "true"}).content.decode()
    assert "<html" not in live
    assert "has struck: recover with your own means now" in live
    assert live.count("<b>POST</b> <code>/drafts</code>") == 3
    said = {"kind": "stopped", "item": "B", "name": "Lin Yue", "note": "ticket 7"}
    assert ops.post(f"{where}declare/", said).status_code == 302
    assert ops.post(f"{where}finish/").status_code == 302
    tasks.count(drill.pk)  # after

    report = ops.get(where).content.decode()
    assert "Passed: every item is at the target once" in report
    assert "Lin Yue" in report
    assert "hx-get" not in report
    document = json.loads(ops.get(f"{where}report.json").content)
    assert (document["passed"], [each["why"] for each in document["items"]]) == (
        True,
        ["reused", "stopped", "created-once", "rest-untouched"],
    )
    assert document["calls"][1]["fault"] == "answer_lost"
    assert "<style>" in ops.get(f"{where}report.html").content.decode()
    assert "通过：每一项在目标系统中" in browser_of("ops", "zh-hans").get(where).content.decode()


def test_what_cannot_be_agreed_on_is_said_beside_its_field(at_sandbox: None, committed: None) -> None:
    a_project()
    ops = browser_of()
    there = VendorDrill.objects.count(), Target.objects.count()
    for changed, status, said in (
        ({"vendor": " "}, 422, "a vendor has a name"),
        ({"vendor": "\x00"}, 422, "a vendor has a name"),
        ({"values": "one\ntwo"}, 422, "there must be one value for each item"),
        ({"values": "one\ntwo\ntwo"}, 422, "there must be one value for each item"),
        ({"place": "title"}, 422, "a JSON pointer begins with /"),
        ({"fault": []}, 422, "choose at least one fault"),
        ({"fault": ["nothing"]}, 422, "choose at least one fault"),
        ({"count": "27"}, 422, "there are 2 to 26 items"),
        ({"count": "x"}, 422, "there are 2 to 26 items"),
        ({"count": "2", "fault": ["answer_lost", "slow_commit"]}, 422, "more items are needed"),
        ({"limit": "999999"}, 422, "the time limit is from"),
        ({"recognise": "guess"}, 422, "is not known"),
        ({"kind": "update_draft"}, 422, "drafts, files or jobs are counted"),
        ({"what": "sandbox:other"}, 404, ""),
    ):
        answer = ops.post("/drills/vendors/new/", {**FORM, **changed})
        assert (answer.status_code, said in answer.content.decode()) == (status, True), changed
        beside = re.search(r'id="w-(\w+)">(.*?)</ul>', answer.content.decode(), re.DOTALL)
        assert (beside is not None and said in beside[2]) == (status == 422), changed
    assert (VendorDrill.objects.count(), Target.objects.count()) == there  # nor a space of the sandbox


def test_uploads_are_drilled_from_the_page_too(at_sandbox: None, committed: None) -> None:
    a_project()
    changed = {"kind": "upload_file", "creates_at": "/files", "recognise": "header", "place": "X-Name"}
    answer = browser_of().post("/drills/vendors/new/", {**FORM, **changed})
    assert answer.status_code == 302
    drill = VendorDrill.objects.latest("pk")
    assert drill.kind == "upload_file"
    tasks.count(drill.pk)
    drill.refresh_from_db()
    assert (drill.status, drill.trouble) == ("open", {})  # the sandbox can list its files


def test_only_ops_and_admin_run_one_and_only_members_see_it(vendor: Made, at_sandbox: None) -> None:
    one = vendor()
    where = f"/drills/vendors/{one.drill.uuid}/"
    Membership.objects.get_or_create(project=one.drill.project, user=a_user("vic"), role=Role.VIEWER)
    vic, stranger = browser_of("vic"), browser_of("stranger")
    assert vic.get(where).status_code == 200
    assert "Finish and count" not in vic.get(where).content.decode()
    for address in ("finish/", "declare/"):
        assert vic.post(where + address).status_code == 403
        assert stranger.post(where + address).status_code == 404
    assert vic.post("/drills/vendors/new/", FORM).status_code == 403
    for address in ("", "report.json", "report.html"):
        assert stranger.get(where + address).status_code == 404
    assert stranger.get(f"/drills/vendors/compare/?drill={one.drill.uuid}").status_code == 404
    assert one.drill.vendor not in stranger.get("/drills/vendors/").content.decode()


def test_several_stand_side_by_side(vendor: Made) -> None:
    careless, careful = vendor(vendor="Careless"), vendor(vendor="Careful")
    for title in ("Kettle", "Lamp", "Lamp", "Chair"):
        careless.try_create(title)
    for title in ("Kettle", "Lamp", "Chair"):
        careful.try_create(title)
    careful.ask("GET", "/drafts?status=any")
    careless.finish()
    careful.finish()
    query = "&".join(f"drill={one.drill.uuid}" for one in (careless, careful))
    page = browser_of().get(f"/drills/vendors/compare/?{query}").content.decode()
    assert page.index("Careless") < page.index("Careful")
    assert "✕ FAIL (1)" in page
    assert "The target holds more than one." in page
    assert "The target was asked afterwards and showed the original" in page
    assert browser_of().get("/drills/vendors/compare/?drill=x").status_code == 404
    listed = browser_of().get("/drills/vendors/").content.decode()
    rows = {
        name: listed[listed.index(f">{name}<") :].partition("</tr>")[0] for name in ("Careless", "Careful")
    }
    assert ("FAIL (1)" in rows["Careless"], "passed" in rows["Careful"]) == (True, True)
    assert "passed" not in rows["Careless"]
    assert "Nothing is chosen" in browser_of().get("/drills/vendors/compare/").content.decode()


def test_from_a_terminal(
    proxy: Running,
    sandbox: SandboxAdmin,
    at_sandbox: None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    project: Project = a_project()
    values = [word for title in TITLES[:3] for word in ("--value", title)]
    call_command(
        "vendor_drill", "start", "--vendor", "Acme", "--project", project.code, "--field", "json:/title", *values,
        "--creates-at", "/drafts", "--machine",
    )  # fmt: skip
    told = json.loads(capsys.readouterr().out)
    drill = VendorDrill.objects.get(uuid=told["drill"])
    secret = urlsplit(told["base_url"]).path.strip("/")
    one = Vendor(drill, secret, told["token"], proxy.port, sandbox, drill.target)
    for title in ("Kettle", "Lamp", "Lamp", "Chair"):
        one.try_create(title)
    with pytest.raises(SystemExit) as end:
        call_command(
            "vendor_drill", "finish", told["drill"], "--html", str(tmp_path / "r.html"), "--json", str(tmp_path / "r.json"),
        )  # fmt: skip
    assert end.value.code == 1
    said = capsys.readouterr().out
    assert re.search(r"B +Lamp +2 +2: \S+ \S+ +0 +FAIL +The target holds more than one\.", said), said
    assert "At least one verdict is a FAIL." in said
    assert json.loads((tmp_path / "r.json").read_text())["passed"] is False
    assert "Acme" in (tmp_path / "r.html").read_text()
    call_command("vendor_drill", "follow", told["drill"])
    assert "answer lost after the target committed" in capsys.readouterr().out
