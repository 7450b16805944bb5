"""``manage.py ledger_restored --since TIME``: the database was restored from a backup of that time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.common.moments import moment_of
from once_delivery.ledger.models import Action, Restoration
from once_delivery.ledger.services.restore_ledger import Opened, end_restorations, open_restoration
from once_delivery.ledger.states import OPEN_QUESTIONS
from once_delivery.ledger.transitions import Actor

MISUSE = 2


class Command(BaseCommand):
    help = (
        "Says that the database was restored from a backup: what may have been sent since is asked for first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--since", metavar="TIME", help="when the backup was made, as 2026-11-30T08:00")
        parser.add_argument(
            "--end", action="store_true", help="everything that is missing was asked for again"
        )
        parser.add_argument("--user", metavar="NAME", help="who says so")

    def handle(self, *args: Any, since: str | None, end: bool, user: str | None, **options: Any) -> None:
        actor = _actor(user)
        moment = _moment(since) if since else None
        if end:
            self._end(moment, actor)
        elif moment is not None:
            self._open(moment, actor)
        else:
            self._list()

    def _open(self, since: datetime, actor: Actor) -> None:
        try:
            opened = open_restoration(since=since, actor=actor)
        except DomainError as error:
            raise CommandError(str(error), returncode=MISUSE) from error
        for line in _lines(opened):
            self.stdout.write(line)

    def _end(self, since: datetime | None, actor: Actor) -> None:
        ended = end_restorations(actor=actor, since=since)
        for one in ended:
            self.stdout.write(_("Ended: %(since)s.") % {"since": _said(one.since)})
        if not ended:
            self.stdout.write(_("No restoration is open."))
        self.stdout.write(_left())

    def _list(self) -> None:
        found = Restoration.objects.order_by("opened_at")
        for one in found:
            words = {"since": _said(one.since), "opened": _said(one.opened_at), "by": one.opened_by}
            if one.ended_at is None:
                self.stdout.write(_("Backup of %(since)s: open since %(opened)s, by %(by)s.") % words)
            else:
                words["ended"] = _said(one.ended_at)
                self.stdout.write(_("Backup of %(since)s: %(opened)s to %(ended)s, by %(by)s.") % words)
        if not found:
            self.stdout.write(_("The database was never said to have been restored."))


def _lines(opened: Opened) -> list[str]:
    one = opened.restoration
    if one.ended_at is not None:
        return [_("This one was ended at %(ended)s; nothing is changed.") % {"ended": _said(one.ended_at)}]
    return [
        _("Restored from the backup of %(since)s: open since %(opened)s.")
        % {"since": _said(one.since), "opened": _said(one.opened_at)},
        ngettext(
            "%(count)d action may have been sent since then; its target is asked first.",
            "%(count)d actions may have been sent since then; their targets are asked first.",
            opened.doubted,
        )
        % {"count": opened.doubted},
        ngettext("%(count)d case is looked at anew.", "%(count)d cases are looked at anew.", opened.asked)
        % {"count": opened.asked},
    ]


def _left() -> str:
    count = Action.objects.filter(state__in=OPEN_QUESTIONS).count()
    return ngettext(
        "%(count)d action is still uncertain.", "%(count)d actions are still uncertain.", count
    ) % {"count": count}


def _said(moment: datetime) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M:%S %Z")


def _moment(text: str) -> datetime:
    found = moment_of(text)
    if found is None:
        raise CommandError(
            _("“%(text)s” is no time; write it as 2026-11-30T08:00.") % {"text": text}, returncode=MISUSE
        )
    return found if timezone.is_aware(found) else timezone.make_aware(found)


def _actor(name: str | None) -> Actor:
    if name is None:
        return Actor("system:ledger_restored")
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(_("There is no such user."), returncode=MISUSE)
    return Actor(f"user:{user.username}", user.pk)
