"""``manage.py save_target --ready``: a target from a ready profile and an operator's values."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from once_delivery.targets.connecting import connected
from once_delivery.targets.models import Target
from tests.builders import a_project

pytestmark = pytest.mark.django_db
VALUES = ["--set", "space=s1", "--set", "content_type=article"]


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("SOME_TOKEN", "secret-token-1")
    return ["--credential", "token=SOME_TOKEN"]


def save(*arguments: str) -> str:
    output = StringIO()
    call_command("save_target", a_project().code, "cms", *arguments, stdout=output, stderr=StringIO())
    return output.getvalue()


def test_a_target_from_documentation_says_so(token: list[str]) -> None:
    said = save("--ready", "contentful", *VALUES, *token)
    target = Target.objects.get(name="cms")
    assert (target.kind, target.base_url) == ("rest", "https://api.contentful.com")
    assert target.declaration["evidence"] == "documentation"
    assert target.profile.guard == "client_id"
    assert "was not run against the service" in said
    assert "Not verified" in said
    assert "https://www.contentful.com/developers" in said
    with connected(target) as connector:
        assert connector is not None


def test_another_address_wins(token: list[str]) -> None:
    save("--ready", "contentful", *VALUES, *token, "--url", "https://api.eu.contentful.com")
    assert Target.objects.get(name="cms").base_url == "https://api.eu.contentful.com"


def test_the_sandbox_by_its_guard(token: list[str]) -> None:
    said = save("--ready", "sandbox", "--guard", "lookup", "--url", "http://127.0.0.1:1", *token)
    assert Target.objects.get(name="cms").profile.guard == "lookup"
    assert "documentation" not in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["--ready", "contentful", "--set", "space=s1"],
        ["--ready", "contentful", *VALUES, "--set", "nonsense"],
        ["--ready", "contentful", *VALUES, "--set", "name=x"],
        ["--ready", "contentful", *VALUES, "--kind", "wagtail"],
        ["--ready", "nothing"],
        ["--ready", "sandbox"],
        VALUES,
        ["--guard", "lookup"],
    ],
)
def test_what_does_not_fit_stores_nothing(token: list[str], arguments: list[Any]) -> None:
    with pytest.raises(CommandError):
        save(*arguments, *token)
    assert not Target.objects.exists()
