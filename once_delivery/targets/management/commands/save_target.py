"""``manage.py save_target PROJECT NAME``: set up a target from a declaration and a profile, and test it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError, InvalidInputError
from once_delivery.targets.services.save_target import save_target

MISUSE = 2


class Command(BaseCommand):
    help = "Stores a target. Secrets come from the environment: --credential token=NAME_OF_VARIABLE."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="code of the project")
        parser.add_argument("name", help="name of the target")
        parser.add_argument("--kind", default="rest")
        parser.add_argument("--url", default="", help="base address")
        parser.add_argument(
            "--declaration", type=Path, help="JSON file; may hold {declaration, profile} together"
        )
        parser.add_argument("--profile", type=Path, help="JSON file with the capability profile")
        parser.add_argument("--credential", action="append", default=[], metavar="NAME=VARIABLE")
        parser.add_argument("--allow-inside", action="store_true", help="the address may be an inside one")
        parser.add_argument("--test", action="store_true", help="a test target, on which drills may run")
        parser.add_argument("--replace", action="store_true", help="change the target of that name")

    def handle(self, *args: Any, project: str, name: str, **options: Any) -> None:
        found = Project.objects.filter(code=project).first()
        if found is None:
            raise CommandError(_("There is no project “%(code)s”.") % {"code": project}, returncode=MISUSE)
        declaration = self._json(options["declaration"])
        profile = self._json(options["profile"]) if options["profile"] else declaration.get("profile", {})
        declaration = declaration.get("declaration", declaration)
        try:
            save_target(
                project=found,
                name=name,
                kind=options["kind"],
                base_url=options["url"],
                declaration=declaration,
                profile=profile,
                credentials=self._credentials(options["credential"]),
                allow_inside=options["allow_inside"],
                is_test=options["test"],
                replace=options["replace"],
            )
        except InvalidInputError as error:
            for problem in error.problems:
                self.stderr.write(f"{problem.code}: {problem.message}")
            raise CommandError(_("The target was not stored.")) from error
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_("Target “%(name)s” is stored.") % {"name": name})

    def _json(self, file: Path | None) -> dict[str, Any]:
        if file is None:
            return {}
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CommandError(f"{file}: {error}", returncode=MISUSE) from error
        if not isinstance(data, dict):
            raise CommandError(_("%(file)s holds no JSON object.") % {"file": file}, returncode=MISUSE)
        return data

    def _credentials(self, given: list[str]) -> dict[str, str] | None:
        if not given:
            return None
        credentials = {}
        for pair in given:
            name, _sign, variable = pair.partition("=")
            if variable not in os.environ:
                raise CommandError(
                    _("The environment has no %(variable)s.") % {"variable": variable}, returncode=MISUSE
                )
            credentials[name] = os.environ[variable]
        return credentials
