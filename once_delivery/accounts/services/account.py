"""One's own account: how one is called and reached, and the password."""

from __future__ import annotations

import zoneinfo

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.accounts.services.visits import end_other_visits
from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.common.sheets.characters import bad_character, shown
from once_delivery.common.sheets.strict_json import BAD_CHARACTER

NAME_LONGEST = 150
_LANGUAGES = frozenset({"", *(code for code, _name in settings.LANGUAGES)})
LONG_NAME = gettext_noop("A name has at most %(most)s characters.")
NO_EMAIL = gettext_noop("“%(email)s” is no e-mail address.")
NO_ZONE = gettext_noop("“%(zone)s” is no time zone. Choose one of the list, such as Asia/Shanghai.")
NO_LANGUAGE = gettext_noop("“%(language)s” is no language of this house.")


def is_zone(name: str) -> bool:
    """Whether a person or a project can live in it."""
    return name in zoneinfo.available_timezones()


def save_details(*, user: User, name: str, email: str, language: str, timezone: str) -> str:
    """Afterwards the person is called so; empty: not told, and the house's own language and time zone.

    Another e-mail address counts only when its owner has said so (``change_email.py``): it is returned, "" when there
    is none to verify. That there is none any more counts at once.

    Raises InvalidInputError, with a problem for each field.
    """
    called, address, zone = " ".join(name.split()), email.strip(), timezone.strip()
    problems = _name_problems(called)
    if address and not _is_email(address):
        problems.append(
            Problem(code="bad-email", template=NO_EMAIL, params={"email": address[:100]}, column="email")
        )
    if language not in _LANGUAGES:
        problems.append(
            Problem(
                code="bad-language",
                template=NO_LANGUAGE,
                params={"language": language[:20]},
                column="language",
            )
        )
    if zone and not is_zone(zone):
        problems.append(
            Problem(code="bad-zone", template=NO_ZONE, params={"zone": zone[:60]}, column="timezone")
        )
    if problems:
        raise InvalidInputError(tuple(problems))
    # one name, as it is written: which part of it is the family's differs from country to country
    known = user.email if address else ""
    User.objects.filter(pk=user.pk).update(
        first_name="", last_name=called, email=known, language=language, timezone=zone
    )
    return address if address != known else ""


def _name_problems(called: str) -> list[Problem]:
    wrong = bad_character(called)
    if wrong is not None:
        told = {"character": shown(wrong)}
        return [Problem(code="bad-character", template=BAD_CHARACTER, params=told, column="name")]
    if len(called) > NAME_LONGEST:
        return [Problem(code="long-name", template=LONG_NAME, params={"most": NAME_LONGEST}, column="name")]
    return []


def change_password(*, user: User, password: str, session: SessionBase) -> int:
    """Afterwards this password opens the door, and every other browser is signed out; returns how many were.

    The caller keeps ``session`` signed in. Raises InvalidInputError.
    """
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise InvalidInputError(
            tuple(Problem(code="weak-password", template=said, column="password") for said in error.messages)
        ) from None
    with transaction.atomic():
        user.set_password(password)
        user.save(update_fields=["password"])
        return end_other_visits(user=user, session=session)


def _is_email(address: str) -> bool:
    try:
        validate_email(address)
    except ValidationError:
        return False
    return True
