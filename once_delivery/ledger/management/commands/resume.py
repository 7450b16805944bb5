"""``manage.py resume PROJECT BATCH``: show the plan, then carry it out."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from once_delivery.accounts.models import User
from once_delivery.ledger.models import Action, Batch, RunKind
from once_delivery.ledger.resume import Verb
from once_delivery.ledger.services.plan_batch import PlannedStep, plan_batch, tally
from once_delivery.ledger.services.resume_batch import resume_batch

UNFINISHED = 1


class Command(BaseCommand):
    help = "Checks what the target holds, then performs only what is missing. --plan only shows it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="code of the project")
        parser.add_argument("batch", help="name of the batch")
        parser.add_argument("--plan", action="store_true", help="show what would be done, and do nothing")
        parser.add_argument("--wait", type=float, default=0.0, help="seconds to wait for what needs time")
        parser.add_argument("--user", help="who asks (user name)")
        parser.add_argument("--first", action="store_true", help="write it down as the first try")
        parser.add_argument("--external-id", default="", help="the outside execution ID")

    def handle(self, *args: Any, project: str, batch: str, **options: Any) -> None:
        found = Batch.objects.filter(project__code=project, name=batch).first()
        if found is None:
            raise CommandError(
                _("There is no batch “%(batch)s” in project “%(project)s”.")
                % {"batch": batch, "project": project},
                returncode=2,
            )
        if options["plan"]:
            self._print(plan_batch(batch=found, asked=True))
            return
        user = User.objects.get(username=options["user"]) if options["user"] else None
        resumed = resume_batch(
            batch=found,
            user=user,
            kind=RunKind.FIRST if options["first"] else RunKind.RESUME,
            external_id=options["external_id"],
            wait_s=options["wait"],
        )
        self._print(list(resumed.after))
        if any(one.step.verb not in {Verb.REUSE, Verb.NOTHING} for one in resumed.after):
            raise SystemExit(UNFINISHED)

    def _print(self, plan: list[PlannedStep]) -> None:
        labels = {
            action.pk: action
            for action in Action.objects.filter(pk__in=[one.action_id for one in plan]).select_related(
                "task__product", "task__input_version"
            )
        }
        for one in plan:
            action = labels[one.action_id]
            moment = f" [{one.step.not_before:%H:%M:%S}]" if one.step.not_before else ""
            self.stdout.write(f"{one.step.verb:<9}{action.task} › {action.slot}{moment}: {one.reason}")
        self.stdout.write("  ".join(f"{verb} {count}" for verb, count in tally(plan).items() if count))
