"""``manage.py check_target PROJECT NAME``: is it there, do the credentials work. Reads only."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from once_delivery.common.errors import DomainError
from once_delivery.targets.connecting import connected
from once_delivery.targets.models import Target


class Command(BaseCommand):
    help = "Tests the connection to a target; nothing is created."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="code of the project")
        parser.add_argument("name", help="name of the target")

    def handle(self, *args: Any, project: str, name: str, **options: Any) -> None:
        target = Target.objects.filter(project__code=project, name=name).first()
        if target is None:
            raise CommandError(_("There is no such target."), returncode=2)
        try:
            with connected(target) as connector:
                results = connector.check()
        except DomainError as error:
            raise CommandError(str(error)) from error
        for one in results:
            self.stdout.write(f"{'ok  ' if one.ok else 'FAIL'} {one.name} {one.code} {one.detail}".rstrip())
        if not all(one.ok for one in results):
            raise SystemExit(1)
