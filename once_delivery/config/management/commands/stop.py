"""``manage.py stop``: nothing of the house runs afterwards."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from once_delivery.config.house.running import stop_house


class Command(BaseCommand):
    help = "Ends what manage.py serve started and the embedded PostgreSQL; the data stays."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--delete", action="store_true", help="also delete the embedded PostgreSQL's data"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if stop_house(settings.STATE_DIR):
            self.stdout.write(_("The house has ended."))
        server = settings.DATABASES["default"]["EMBEDDED"]
        if server is None:
            return
        if options["delete"]:
            server.destroy()
            self.stdout.write(_("The embedded PostgreSQL and its data are gone."))
        elif server.stop():
            self.stdout.write(_("The embedded PostgreSQL has stopped."))
