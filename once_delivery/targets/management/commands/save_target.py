"""``manage.py save_target PROJECT NAME``: set up a target from a declaration and a profile, and test it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError, InvalidInputError
from once_delivery.targets.rest.profiles import ReadyProfile, ready_names, ready_profile
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
        parser.add_argument("--ready", default="", metavar="NAME", help=f"one of: {', '.join(ready_names())}")
        parser.add_argument("--guard", default="", help="of a ready profile that offers several")
        parser.add_argument(
            "--set", action="append", default=[], metavar="NAME=VALUE", help="a value of a ready profile"
        )
        parser.add_argument("--credential", action="append", default=[], metavar="NAME=VARIABLE")
        parser.add_argument("--allow-inside", action="store_true", help="the address may be an inside one")
        parser.add_argument("--test", action="store_true", help="a test target, on which drills may run")
        parser.add_argument("--replace", action="store_true", help="change the target of that name")

    def handle(self, *args: Any, project: str, name: str, **options: Any) -> None:
        found = Project.objects.filter(code=project).first()
        if found is None:
            raise CommandError(_("There is no project “%(code)s”.") % {"code": project}, returncode=MISUSE)
        try:
            wanted = self._wanted(options)
            save_target(
                project=found,
                name=name,
                kind=options["kind"],
                base_url=options["url"] or wanted.base_url,
                declaration=wanted.declaration,
                profile=wanted.profile,
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
        if wanted.evidence == "documentation":
            self._tell(wanted)

    def _wanted(self, options: Mapping[str, Any]) -> ReadyProfile:
        """What is to be stored: a ready profile, or what files hold; a profile file wins over both."""
        if options["ready"]:
            if options["declaration"] is not None or options["kind"] != "rest":
                raise CommandError(
                    _("--ready brings its own declaration: leave out --declaration and --kind."),
                    returncode=MISUSE,
                )
            ready = ready_profile(options["ready"], options["guard"], **self._values(options["set"]))
            return replace(ready, profile=self._json(options["profile"]) or ready.profile)
        if options["set"] or options["guard"]:
            raise CommandError(_("--set and --guard are for --ready."), returncode=MISUSE)
        declaration = self._json(options["declaration"])
        profile = self._json(options["profile"]) if options["profile"] else declaration.get("profile", {})
        return ReadyProfile(declaration.get("declaration", declaration), profile, ())

    def _values(self, given: list[str]) -> dict[str, str]:
        values = {}
        for pair in given:
            name, sign, value = pair.partition("=")
            if not sign or not name.isidentifier():
                raise CommandError(_("“%(pair)s” is not NAME=VALUE.") % {"pair": pair}, returncode=MISUSE)
            values[name] = value
        return values

    def _tell(self, ready: ReadyProfile) -> None:
        """What is known of a profile that was read and never run."""
        self.stdout.write(
            _(
                "This profile was made from documentation and was not run against the service. Probe it before use."
            )
        )
        for note in ready.notes:
            self.stdout.write(f"- {note}")
        for page in ready.documentation:
            self.stdout.write(f"  {page}")

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
