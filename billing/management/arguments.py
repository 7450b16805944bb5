"""What several commands of the books are told: a project, a file, a person, a day."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from django.core.management.base import CommandError, OutputWrapper
from django.utils import translation
from django.utils.translation import gettext as _

from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.common.languages import terminal_language
from once_delivery.common.sheets.formats import check_size
from once_delivery.common.sheets.limits import current_limits
from once_delivery.common.sheets.printed import printed_refusal
from once_delivery.common.sheets.problems import ImportRefusedError, Problems

PROBLEMS = 1
MISUSE = 2


@contextmanager
def told(out: OutputWrapper, language: str | None) -> Iterator[None]:
    """Refusals as text and exit codes: 1 for a file with problems, 2 for wrong use."""
    with translation.override(terminal_language(language, os.environ)):
        try:
            yield
        except ImportRefusedError as error:
            out.write(printed_refusal(error))
            raise SystemExit(PROBLEMS) from None
        except DomainError as error:
            raise CommandError(str(error), returncode=MISUSE) from None


def project_of(code: str) -> Project:
    """Raises CommandError."""
    found = Project.objects.filter(code=code).first()
    if found is None:
        raise CommandError(_("There is no project “%(code)s”.") % {"code": code}, returncode=MISUSE)
    return found


def person_of(name: str) -> User | None:
    """None where nobody is named; raises CommandError for who is not there."""
    if not name:
        return None
    found = User.objects.filter(username=name, is_active=True).first()
    if found is None:
        raise CommandError(_("There is no such project, or no such person."), returncode=MISUSE)
    return found


def bytes_of(file: Path) -> bytes:
    """What is in ``file``; one that is too large is not read at all. Raises CommandError, ImportRefusedError."""
    try:
        check_size(file.stat().st_size, current_limits(), Problems())
        return file.read_bytes()
    except OSError as error:
        why = error.strerror or type(error).__name__
        words = _("The file “%(name)s” cannot be read: %(why)s.") % {"name": file, "why": why}
        raise CommandError(words, returncode=MISUSE) from None


def day_of(said: str) -> date:
    """A day of an argument. Raises CommandError."""
    try:
        return date.fromisoformat(said)
    except ValueError:
        words = _("“%(typed)s” is no date. Write 2026-10-01.") % {"typed": said}
        raise CommandError(words, returncode=MISUSE) from None
