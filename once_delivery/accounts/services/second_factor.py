"""The second factor: codes of an authenticator app, and codes on paper for the day it is lost."""

from __future__ import annotations

import enum
import io
import secrets
from dataclasses import dataclass
from typing import Any

import segno
from django.db import transaction
from django.db.models import Exists
from django.utils.translation import gettext_noop
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from once_delivery.accounts.models import Membership, User
from once_delivery.common.errors import DomainError

APP, PAPER = "app", "paper"
PAPER_CODES = 10
Device = Any  # of django-otp, which has no types


class WrongCodeError(DomainError):
    """Wrong, used already, or too many tries in a row: told alike."""

    code = "wrong-code"
    template = gettext_noop(
        "This code is not right, or was used already. Wait for the next one and try again."
    )


class FactorRequiredError(DomainError):
    """A project of this person asks for it."""

    code = "factor-required"
    template = gettext_noop("“%(project)s” requires a second factor. It can be replaced, not removed.")


class NoFactorError(DomainError):
    """There are codes for paper only where there is an app."""

    code = "no-factor"
    template = gettext_noop("There is no second factor yet. Set one up first.")


@dataclass(frozen=True, slots=True)
class Setup:
    """What the authenticator app needs: to be scanned, or typed."""

    picture: str  # SVG
    secret: str  # base32, in groups of four


def has_second_factor(user: User) -> bool:
    """Whether codes are asked for when this person signs in."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


class Missing(enum.StrEnum):
    """What a person who has not shown a second factor must do before going on."""

    NOTHING = ""
    SHOW = "show"
    SET_UP = "set_up"


def missing_factor(user: User) -> Missing:
    """In one query: a set-up factor is shown; where a project asks for one, it is set up."""
    asked = Membership.objects.filter(user=user, project__requires_second_factor=True)
    device = TOTPDevice.objects.filter(user=user, confirmed=True)
    has, must = (
        User.objects.filter(pk=user.pk)
        .annotate(has=Exists(device), must=Exists(asked))
        .values_list("has", "must")
        .get()
    )
    if has:
        return Missing.SHOW
    return Missing.SET_UP if must else Missing.NOTHING


def begin_setup(*, user: User) -> Setup:
    """A new secret that counts only when a code of it was shown. The one in use stays in use until then."""
    with transaction.atomic():
        TOTPDevice.objects.filter(user=user, confirmed=False).delete()
        device = TOTPDevice.objects.create(user=user, name=APP, confirmed=False)
    return setup_of(device)


def setup_in_progress(*, user: User) -> Setup | None:
    """The secret that waits for its first code: a page that is loaded again must not throw away what was scanned."""
    device = TOTPDevice.objects.filter(user=user, confirmed=False).order_by("-pk").first()
    return setup_of(device) if device is not None else None


def setup_of(device: TOTPDevice) -> Setup:
    """How to bring this secret into the app."""
    buffer = io.BytesIO()
    segno.make(device.config_url).save(
        buffer, kind="svg", scale=4, border=2, xmldecl=False, svgns=True, svgclass="qr", lineclass="qr__dots"
    )
    key = device.config_url.split("secret=")[1].split("&")[0]
    return Setup(
        picture=buffer.getvalue().decode(),
        secret=" ".join(key[at : at + 4] for at in range(0, len(key), 4)),
    )


def finish_setup(*, user: User, code: str) -> tuple[TOTPDevice, list[str]]:
    """Afterwards this app's codes are asked for; returns the codes for paper, shown once. Raises WrongCodeError."""
    device = TOTPDevice.objects.filter(user=user, confirmed=False).order_by("-pk").first()
    if device is None or not device.verify_token(_digits(code)):
        raise WrongCodeError
    with transaction.atomic():
        TOTPDevice.objects.filter(user=user, confirmed=True).delete()
        device.confirmed = True
        device.save()
        return device, _new_paper_codes(user)


def check_code(*, user: User, code: str) -> Device:
    """The device whose code this is; a code on paper is used up. Raises WrongCodeError."""
    typed = code.strip().lower()
    device = TOTPDevice.objects.filter(user=user, confirmed=True).first()
    if device is not None and device.verify_is_allowed()[0] and device.verify_token(_digits(typed)):
        return device
    paper = StaticDevice.objects.filter(user=user, name=PAPER).first()
    if paper is not None and paper.verify_is_allowed()[0] and paper.verify_token(typed):
        return paper
    raise WrongCodeError


def paper_codes_left(user: User) -> int:
    """How many of the codes on paper are not used up."""
    return int(StaticToken.objects.filter(device__user=user, device__name=PAPER).count())


def renew_paper_codes(*, user: User) -> list[str]:
    """Codes for paper, shown once; those of before open nothing any more. Raises NoFactorError."""
    if not has_second_factor(user):
        raise NoFactorError
    with transaction.atomic():
        return _new_paper_codes(user)


def requiring_project(user: User) -> str:
    """The name of a project that asks this person for a second factor; "" for none."""
    asked = Membership.objects.filter(user=user, project__requires_second_factor=True)
    return asked.order_by("pk").values_list("project__name", flat=True).first() or ""


def remove_second_factor(*, user: User) -> None:
    """Afterwards no code is asked for. Raises FactorRequiredError."""
    asked = requiring_project(user)
    if asked:
        raise FactorRequiredError(project=asked)
    with transaction.atomic():
        TOTPDevice.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user, name=PAPER).delete()


def _new_paper_codes(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user, name=PAPER).delete()
    device = StaticDevice.objects.create(user=user, name=PAPER)
    codes = [f"{secrets.token_hex(2)}-{secrets.token_hex(2)}" for _ in range(PAPER_CODES)]
    StaticToken.objects.bulk_create([StaticToken(device=device, token=code) for code in codes])
    return codes


def _digits(code: str) -> str:
    return "".join(sign for sign in code if sign.isdecimal() and sign.isascii())
