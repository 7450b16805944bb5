"""``manage.py messages``: the translations, brought up to date, checked or compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import to_locale

from once_delivery.config.translations.catalogs import SOURCE_LANGUAGE, CatalogFile, catalog_files
from once_delivery.config.translations.extracting import template_catalog
from once_delivery.config.translations.problems import problems


class Command(BaseCommand):
    help = "Brings the translations up to date, checks that they are complete, or compiles them."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--update", action="store_true", help="take up new strings, drop unused ones")
        what.add_argument("--check", action="store_true", help="fail when a string lacks its translation")
        what.add_argument("--compile", action="store_true", help="write what the program reads")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["compile"]:
            for file in files():
                file.compile()
            return
        template = template_catalog(Path(settings.BASE_DIR))
        if options["update"]:
            for file in files():
                file.update(template)
        found = [
            f"{file.locale}: {problem}" for file in files() for problem in problems(file.read(), template)
        ]
        for line in found:
            self.stderr.write(line)
        if options["check"] and found:
            raise CommandError(f"{len(found)} problems; make messages takes up new strings")


def files() -> list[CatalogFile]:
    locales = [to_locale(code) for code, _name in settings.LANGUAGES if code != SOURCE_LANGUAGE]
    return list(catalog_files(Path(settings.LOCALE_PATHS[0]), locales))
