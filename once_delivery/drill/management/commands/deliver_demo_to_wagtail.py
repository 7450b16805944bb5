"""``manage.py deliver_demo_to_wagtail``: the sample batch, delivered to the demo's Wagtail."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.drill.services.deliver_to_wagtail import (
    WagtailAddress,
    deliver_to_wagtail,
    delivered_to_wagtail,
    set_wagtail_target,
)
from once_delivery.ledger.resume import Verb


class Command(BaseCommand):
    help = "Delivers docs/samples/autumn-launch to the demo's Wagtail; a second time reuses everything."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--if-new",
            action="store_true",
            help="where all is confirmed, only keep the target's address right",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        url, section = os.environ.get("ONCE_WAGTAIL_URL", ""), os.environ.get("ONCE_WAGTAIL_SECTION", "")
        project = Project.objects.filter(code="demo").first()
        if not url or not section.isdecimal() or project is None:
            raise CommandError(
                _("Needs ONCE_WAGTAIL_URL and the demo project; make run has both."), returncode=2
            )
        site = WagtailAddress(url, int(section), os.environ.get("ONCE_WAGTAIL_TOKEN", ""))
        try:
            if options["if_new"] and delivered_to_wagtail(project):
                set_wagtail_target(project, site)
                return
            delivered = deliver_to_wagtail(project=project, site=site)
        except DomainError as error:
            raise CommandError(str(error), returncode=2) from error
        confirmed = delivered.verbs[Verb.REUSE]
        rest = sum(delivered.verbs.values()) - confirmed
        self.stdout.write(
            _("Batch “%(batch)s”: %(confirmed)s confirmed, %(rest)s open. Drafts in Wagtail: %(page)s")
            % {"batch": delivered.batch.name, "confirmed": confirmed, "rest": rest, "page": f"{url}/admin/"}
        )
