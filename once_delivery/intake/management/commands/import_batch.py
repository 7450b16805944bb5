"""Import a batch file: ``manage.py import_batch PROJECT FILE``."""

from __future__ import annotations

import errno
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import translation

from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.common.languages import LANGUAGES, terminal_language
from once_delivery.common.sheets.formats import check_size
from once_delivery.common.sheets.limits import Limits, current_limits
from once_delivery.common.sheets.printed import printed_refusal
from once_delivery.common.sheets.problems import ImportRefusedError, Problems
from once_delivery.intake.attachments import FolderAttachments
from once_delivery.intake.errors import (
    DatabaseFailedError,
    NotAMemberError,
    UnknownProjectError,
    UnreadableFileError,
)
from once_delivery.intake.printed import printed_report
from once_delivery.intake.services.import_batch import import_batch

PROBLEMS = 1
MISUSE = 2
FAILED = 3


class Command(BaseCommand):
    help = "Import a batch file (CSV, XLSX or JSON). Exit code 1: the file has problems; 2: wrong use; 3: the database failed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="code of the project")
        parser.add_argument("file", type=Path, help="the batch file; pictures are looked for beside it")
        parser.add_argument("--name", default="", help="name of the batch (the file's own name)")
        parser.add_argument("--dry-run", action="store_true", help="check everything, keep nothing")
        parser.add_argument("--user", default="", help="username of the member who asks")
        parser.add_argument("--language", choices=LANGUAGES, help="language of the report (as the terminal)")

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(terminal_language(options["language"], os.environ)):
            try:
                self._import(**options)
            except ImportRefusedError as error:
                self.stdout.write(printed_refusal(error))
                raise SystemExit(PROBLEMS) from None
            except DomainError as error:
                raise CommandError(str(error), returncode=MISUSE) from None
            except DatabaseError as error:
                failed = DatabaseFailedError(why=" ".join(str(error).split())[:300])
                raise CommandError(str(failed), returncode=FAILED) from error

    def _import(self, *, project: str, file: Path, name: str, dry_run: bool, user: str, **_: Any) -> None:
        limits = current_limits()
        asked = Project.objects.filter(code=project).first()
        if asked is None:
            raise UnknownProjectError(code=project)
        report = import_batch(
            project=asked,
            data=_bytes_of(file, limits),
            file_name=file.name,
            batch_name=name,
            user=_member(asked, user) if user else None,
            dry_run=dry_run,
            attachments=FolderAttachments(file.parent, most=limits.image_bytes),
        )
        self.stdout.write(printed_report(report))


def _bytes_of(file: Path, limits: Limits) -> bytes:
    """What is in ``file``; one that is too large is not read at all."""
    try:
        if not file.is_file():
            raise UnreadableFileError(name=str(file), why=os.strerror(errno.ENOENT))
        check_size(file.stat().st_size, limits, Problems())
        return file.read_bytes()
    except OSError as error:
        raise UnreadableFileError(name=str(file), why=error.strerror or type(error).__name__) from None


def _member(project: Project, name: str) -> User:
    user = User.objects.filter(username=name, is_active=True, memberships__project=project).first()
    if user is None:
        raise NotAMemberError(name=name, code=project.code)
    return user
