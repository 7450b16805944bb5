"""Seed the demo project and print its accounts: ``manage.py seed_demo``."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from once_delivery.common.errors import DomainError
from once_delivery.common.languages import LANGUAGES, terminal_language
from once_delivery.intake.demo_accounts import accounts_file
from once_delivery.intake.services.seed_demo import SeededDemo, seed_demo


class Command(BaseCommand):
    help = "Make the project “demo” with an account for each role and three products; again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--language", choices=LANGUAGES, help="language of the output (as the terminal)")

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(terminal_language(options["language"], os.environ)):
            try:
                self.stdout.write(_printed(seed_demo()))
            except DomainError as error:
                raise CommandError(str(error)) from None


def _printed(demo: SeededDemo) -> str:
    changed = _("(changed)")
    rows = [f"  {one.username:<10} {one.password or changed:<18} {one.role.label}" for one in demo.accounts]
    head = _("Project “%(code)s” with %(products)s products. Accounts:") % {
        "code": demo.project.code,
        "products": demo.products,
    }
    return "\n".join([head, *rows, _("Kept in %(file)s.") % {"file": accounts_file()}])
