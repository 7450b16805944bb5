"""``manage.py probe_target`` as an operator meets it."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.models import Probe
from once_delivery.targets.profile import Guard
from tests.probing.sandbox_target import SandboxTarget

pytestmark = pytest.mark.django_db(transaction=True)


def run(target: SandboxTarget, **options: Any) -> tuple[int, str]:
    """Exit code and what was printed."""
    out = StringIO()
    try:
        call_command(
            "probe_target", target.target.project.code, target.target.name, wait=0.3, stdout=out, **options
        )
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def test_an_honest_target(admin: SandboxAdmin) -> None:
    code, said = run(SandboxTarget(admin, Guard.CLIENT_ID))
    assert code == 0
    assert "confirmed: Guard [client_id]" in said
    assert "Nothing that a probe made is known to be left." in said
    with translation.override("zh-hans"):
        code, said = run(SandboxTarget(admin, Guard.CLIENT_ID))
    assert "已确认: 防重方式 [client_id]" in said.replace("：", ": ")


def test_a_lying_target(admin: SandboxAdmin) -> None:
    code, said = run(SandboxTarget(admin, Guard.CLIENT_ID, makes_second=True))
    assert code == 1
    assert "refuted: Guard [client_id]" in said
    assert "Refused from now on, until a newer probe confirms it: Guard." in said


def test_as_json(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.CLIENT_ID, may_delete=False)
    code, said = run(target, json=True)
    report = json.loads(said)
    assert code == 1  # something is left
    assert {one["id"] for one in report["left"]} == {one["id"] for one in target.held()}
    (guard,) = [one for one in report["measurements"] if one["claim"] == "guard"]
    assert (guard["claimed"], guard["verdict"], bool(guard["at"])) == ("client_id", "confirmed", True)
    assert (report["status"], report["profile"]["guard"]) == ("finished", "client_id")
    target.becomes(may_delete=True)
    code, said = run(target, clean=True, json=True)
    cleaned = json.loads(said)
    assert (code, cleaned["removed"], cleaned["left"], cleaned["open"]) == (0, len(report["left"]), [], [])
    code, said = run(target, clean=True)
    assert (code, said.splitlines()[0]) == (0, "0 objects of earlier probes were removed.")


def test_a_target_that_is_not_for_tests_needs_a_yes(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.LOOKUP, is_test=False)
    with pytest.raises(CommandError, match="not-a-test-target") as caught:
        run(target)
    assert caught.value.returncode == 2
    assert (target.creates(), Probe.objects.count()) == (0, 0)
    assert run(target, yes=True)[0] == 0


def test_another_profile_and_what_the_target_needs(admin: SandboxAdmin, tmp_path: Path) -> None:
    target = SandboxTarget(admin, Guard.LOOKUP, unique_marker=True)
    profile, payload = tmp_path / "profile.json", tmp_path / "payload.json"
    profile.write_text(json.dumps({**target.profile, "guard": "client_id"}))
    payload.write_text(json.dumps({"locale": "de-DE"}))
    code, said = run(target, profile=profile, payload=payload, json=True)
    (guard,) = [one for one in json.loads(said)["measurements"] if one["claim"] == "guard"]
    assert (code, guard["claimed"], guard["verdict"]) == (0, "client_id", "confirmed")
    target.target.refresh_from_db()
    assert target.target.profile.guard == Guard.LOOKUP  # a probe stores no profile


@pytest.mark.parametrize("content", ["[]", "{", '{"guard": "magic"}'])
def test_bad_files(admin: SandboxAdmin, tmp_path: Path, content: str) -> None:
    target = SandboxTarget(admin, Guard.LOOKUP)
    file = tmp_path / "profile.json"
    file.write_text(content)
    with pytest.raises(CommandError) as caught:
        run(target, profile=file)
    assert caught.value.returncode == 2
    assert (target.creates(), Probe.objects.count()) == (0, 0)


def test_no_such_target(admin: SandboxAdmin) -> None:
    target = SandboxTarget(admin, Guard.LOOKUP)
    with pytest.raises(CommandError, match="no such target"):
        call_command("probe_target", target.target.project.code, "nowhere")
    with pytest.raises(CommandError, match="no such target"):
        call_command("probe_target", "another", target.target.name)
