"""The drill on a configured target: a space of the sandbox that is used like any other system."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from once_delivery.accounts.models import Project
from once_delivery.common.secrets import seal
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from once_delivery.targets.rest.profiles import ready_profile
from tests.drill.given import a_project_with_products

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def project() -> Project:
    return a_project_with_products("demo")


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[SandboxProcess]:
    with SandboxProcess(tmp_path / "sandbox") as process:
        yield process


def a_space(project: Project, sandbox: SandboxProcess, guard: Guard, *, is_test: bool = True) -> Target:
    space = sandbox.admin.put_space("ordinary")
    ready = ready_profile("sandbox", guard)
    return Target.objects.create(
        project=project,
        name="cms",
        kind="rest",
        base_url=sandbox.admin.content_url("ordinary"),
        declaration=ready.declaration,
        profile_data=ready.profile,
        credentials_sealed=seal({"token": space["token"]}),
        allow_inside=True,
        is_test=is_test,
    )


def test_the_target_holds_each_draft_once(project: Project, sandbox: SandboxProcess, tmp_path: Path) -> None:
    a_space(project, sandbox, Guard.LOOKUP)
    data = tmp_path / "report.json"

    call_command("drill", target="cms", json=data)

    rounds = json.loads(data.read_text(encoding="utf-8"))["rounds"]
    assert [(one["guard"], one["round"], one["passed"]) for one in rounds] == [
        ("lookup", "one", True),
        ("lookup", "two", True),
    ]
    assert [one["totals"]["held_now"] for one in rounds] == [3, 3]
    assert len(sandbox.admin.objects("ordinary")) == 6
    # the sandbox's own log agrees with the proxy's record
    created = [call for call in sandbox.admin.log("ordinary", operation="create") if call["created"]]
    assert len(created) == 6


def test_nothing_is_drilled_that_is_not_for_tests(project: Project, sandbox: SandboxProcess) -> None:
    a_space(project, sandbox, Guard.LOOKUP, is_test=False)

    with pytest.raises(CommandError, match="drill-needs-test-target"):
        call_command("drill", target="cms")

    assert sandbox.admin.objects("ordinary") == []


def test_a_target_that_cannot_be_counted_is_no_verdict(project: Project, sandbox: SandboxProcess) -> None:
    a_space(project, sandbox, Guard.NONE)

    with pytest.raises(CommandError, match="cannot be counted"):
        call_command("drill", target="cms")


def test_an_unknown_target(project: Project) -> None:
    with pytest.raises(CommandError, match="no such target"):
        call_command("drill", target="nowhere")


def test_where_targets_may_not_lead_inside_a_drill_still_reaches_its_own_proxy(
    project: Project,
    sandbox: SandboxProcess,
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.TARGETS_MAY_GO_INSIDE = False
    monkeypatch.setenv("ONCE_TARGETS_INSIDE", "0")  # what its processes hear
    monkeypatch.setenv("ONCE_SANDBOX_URL", sandbox.base_url)
    a_space(project, sandbox, Guard.LOOKUP)
    data = tmp_path / "report.json"

    call_command("drill", target="cms", json=data)

    rounds = json.loads(data.read_text(encoding="utf-8"))["rounds"]
    assert [one["passed"] for one in rounds] == [True, True]
