"""Codes of an app, and codes on paper."""

from __future__ import annotations

from binascii import unhexlify

import pytest
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from once_delivery.accounts.models import Project, User
from once_delivery.accounts.services.second_factor import (
    Missing,
    begin_setup,
    check_code,
    finish_setup,
    has_second_factor,
    missing_factor,
    remove_second_factor,
)
from once_delivery.common.errors import DomainError


def code_of(device: TOTPDevice, *, later: int = 0) -> str:
    totp = TOTP(unhexlify(device.key))
    totp.time = totp.time + 30 * later
    return f"{totp.token():06}"


def set_up(user: User) -> tuple[TOTPDevice, list[str]]:
    begin_setup(user=user)
    device = TOTPDevice.objects.get(user=user, confirmed=False)
    return finish_setup(user=user, code=code_of(device))


def test_setting_up(admin: User) -> None:
    setup = begin_setup(user=admin)
    assert setup.picture.startswith("<svg")
    assert len(setup.secret.replace(" ", "")) == 32
    assert not has_second_factor(admin)
    with pytest.raises(DomainError, match="wrong-code"):
        finish_setup(user=admin, code="000000x")
    device, paper = set_up(admin)
    assert (has_second_factor(admin), len(set(paper))) == (True, 10)
    assert device.confirmed


def test_a_code_counts_once(admin: User) -> None:
    device, _ = set_up(admin)
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    later = code_of(device, later=1)
    assert check_code(user=admin, code=f" {later[:3]} {later[3:]} ").pk == device.pk
    with pytest.raises(DomainError, match="wrong-code"):
        check_code(user=admin, code=later)


def test_a_code_on_paper_counts_once(admin: User) -> None:
    _, paper = set_up(admin)
    assert check_code(user=admin, code=paper[0].upper())
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    StaticDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    with pytest.raises(DomainError, match="wrong-code"):
        check_code(user=admin, code=paper[0])


def test_guessing_is_slowed_down(admin: User) -> None:
    device, _ = set_up(admin)
    with pytest.raises(DomainError, match="wrong-code"):
        check_code(user=admin, code="000000")
    with pytest.raises(DomainError, match="wrong-code"):  # right, and too soon
        check_code(user=admin, code=code_of(device, later=1))


def test_a_new_app_takes_the_place_of_the_old_one(admin: User) -> None:
    old, _ = set_up(admin)
    begin_setup(user=admin)
    assert has_second_factor(admin)  # the old one counts until the new one was shown
    new = TOTPDevice.objects.get(user=admin, confirmed=False)
    finish_setup(user=admin, code=code_of(new))
    assert list(TOTPDevice.objects.filter(user=admin)) == [new]
    assert old.pk != new.pk


def test_removing(admin: User) -> None:
    set_up(admin)
    remove_second_factor(user=admin)
    assert not has_second_factor(admin)
    assert StaticDevice.objects.count() == 0


def test_a_project_asks_for_it(project: Project, admin: User) -> None:
    assert missing_factor(admin) == Missing.NOTHING
    Project.objects.update(requires_second_factor=True)
    assert missing_factor(admin) == Missing.SET_UP
    set_up(admin)
    assert missing_factor(admin) == Missing.SHOW
