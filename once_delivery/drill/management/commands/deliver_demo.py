"""``manage.py deliver_demo``: the sample batch, delivered to the running sandbox CMS."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.drill.services.deliver_demo import deliver_demo
from once_delivery.drill.services.deliver_stopped import deliver_stopped
from once_delivery.ledger.resume import Verb
from once_delivery.sandbox.client import SandboxAdmin


class Command(BaseCommand):
    help = "Delivers docs/samples/autumn-launch to the sandbox CMS, and a batch that stops; a second time reuses everything."

    def handle(self, *args: Any, **options: Any) -> None:
        url = os.environ.get("ONCE_SANDBOX_URL", "")
        project = Project.objects.filter(code="demo").first()
        if not url or project is None:
            raise CommandError(
                _("Needs ONCE_SANDBOX_URL and the demo project; make run has both."), returncode=2
            )
        admin = SandboxAdmin(url, os.environ.get("ONCE_SANDBOX_ADMIN_TOKEN", ""))
        try:
            delivered = deliver_demo(project=project, admin=admin)
            stopped = deliver_stopped(project=project, admin=admin)
        except DomainError as error:
            raise CommandError(str(error), returncode=2) from error
        confirmed = delivered.verbs[Verb.REUSE]
        rest = sum(delivered.verbs.values()) - confirmed
        self.stdout.write(
            _("Batch “%(batch)s”: %(confirmed)s confirmed, %(rest)s open. What the CMS holds: %(page)s")
            % {"batch": delivered.batch.name, "confirmed": confirmed, "rest": rest, "page": delivered.page}
        )
        self.stdout.write(
            _("Batch “%(batch)s”: stopped in the middle on purpose, for the ops owner to finish.")
            % {"batch": stopped.name}
        )
