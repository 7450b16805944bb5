"""A project's working hours and settings."""

from __future__ import annotations

import pytest
from django.test import Client as Browser
from django_otp.plugins.otp_totp.models import TOTPDevice

from once_delivery.accounts.models import Project, Role
from reconciliation.models import Case
from reconciliation.models.calendar import Calendar
from tests.web.conftest import World, signed_in

HOURS, SETTINGS = "/projects/aurora/hours/", "/projects/aurora/settings/"
OFFICE = {
    "days": ["0", "4"],
    "opens": "08:30",
    "closes": "17:00",
    "holidays": "2026-10-02, 2026-10-01\n2026-10-01",
}
GOOD = {"name": " Aurora  2 ", "timezone": "Europe/Berlin", "case_hours": "12", "second_factor": "on"}


@pytest.fixture
def admin(world: World) -> Browser:
    return signed_in(world.people[Role.ADMIN], confirmed=True)


def test_hours_are_kept_and_told(world: World, admin: Browser) -> None:
    assert "day and night" in admin.get(HOURS).content.decode()
    due = dict(Case.objects.values_list("pk", "due_at"))
    assert admin.post(HOURS, OFFICE)["Location"] == HOURS
    calendar = Calendar.objects.get(project=world.project)
    assert (calendar.days, calendar.holidays) == ([0, 4], ["2026-10-01", "2026-10-02"])
    html = admin.get(HOURS).content.decode()
    assert ("Monday, Friday" in html, "08:30–17:00" in html, "it is due" in html) == (True, True, True)
    assert dict(Case.objects.values_list("pk", "due_at")) == due


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"days": []}, "days"),
        ({"days": ["7"]}, "days"),
        ({"days": ["0", "9" * 5000]}, "days"),
        ({"days": ["0", "x"]}, "days"),
        ({"opens": ""}, "opens"),
        ({"opens": "25:00"}, "opens"),
        ({"closes": "08:30"}, "closes"),
        ({"closes": "07:00"}, "closes"),
        ({"holidays": "2026-10-01 2026-02-30"}, "holidays"),
        ({"holidays": "01.10.2026"}, "holidays"),
        ({"holidays": "\n".join(["2026-10-01"] * 401)}, "holidays"),
    ],
)
def test_hours_that_are_none(admin: Browser, change: dict[str, object], field: str) -> None:
    answer = admin.post(HOURS, {**OFFICE, **change})
    assert (answer.status_code, f'id="w-{field}"' in answer.content.decode()) == (422, True)
    assert not Calendar.objects.exists()


def test_day_and_night_again(admin: Browser) -> None:
    admin.post(HOURS, OFFICE)
    admin.post(HOURS, {"act": "always"})
    assert not Calendar.objects.exists()


def test_settings_are_kept(world: World, admin: Browser) -> None:
    assert admin.post(SETTINGS, GOOD)["Location"] == SETTINGS
    project = Project.objects.get(pk=world.project.pk)
    assert (project.name, project.timezone, project.case_hours, project.requires_second_factor) == (
        "Aurora 2",
        "Europe/Berlin",
        12,
        True,
    )
    # and it holds at the next click, for the admin too
    assert admin.get(SETTINGS)["Location"].split("?")[0] == "/second-factor/set-up/"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", " "),
        ("name", "x" * 201),
        ("timezone", ""),
        ("timezone", "Mars/Olympus"),
        ("case_hours", "0"),
        ("case_hours", "1001"),
        ("case_hours", "many"),
    ],
)
def test_settings_that_are_none(world: World, admin: Browser, name: str, value: str) -> None:
    answer = admin.post(SETTINGS, GOOD | {name: value})
    assert (answer.status_code, f'id="w-{name}"' in answer.content.decode()) == (422, True)
    assert Project.objects.get(pk=world.project.pk).case_hours == 8


def test_how_many_have_no_second_factor_is_said_before(world: World, admin: Browser) -> None:
    assert "6 members have none yet" in admin.get(SETTINGS).content.decode()
    TOTPDevice.objects.create(user=world.vic, confirmed=True)
    TOTPDevice.objects.create(user=world.alice, confirmed=False)
    assert "5 members have none yet" in admin.get(SETTINGS).content.decode()
