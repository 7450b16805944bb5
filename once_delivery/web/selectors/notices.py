"""Where a project's events go, and the outbox."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.notices.models import ROUTED, Channel, Event, Message, Route
from once_delivery.notices.services.send_due import PAUSES_S
from once_delivery.ui.paging import Page, newest_first

PAGE = 50
VIEWS = {
    "all": Q(),
    "waiting": Q(next_try_at__isnull=False),
    "given-up": Q(given_up_at__isnull=False),
    "sent": Q(sent_at__isnull=False),
}
ERRORS: dict[str, Promise] = {
    "route-removed": _("the route was removed"),
    "secret-unreadable": _("its secret cannot be opened: remove the route and add it again"),
    "SMTPRecipientsRefused": _("the mail server refuses this address"),
    "SMTPAuthenticationError": _("the mail server refuses our user name and password"),
    "SMTPServerDisconnected": _("the mail server hung up"),
    "ConnectionRefusedError": _("the mail server cannot be reached"),
    "TimeoutError": _("no answer in time"),
}


@dataclass(frozen=True, slots=True)
class RouteRow:
    """A route and its events in words."""

    route: Route
    events: list[str]


@dataclass(frozen=True, slots=True)
class LetterRow:
    """A message of the outbox. ``state``: "waiting", "sent" or "given-up"."""

    message: Message
    state: str
    error: str
    more_tries: int

    @property
    def may_again(self) -> bool:
        """What did not arrive, and webhooks whose receiver may have lost them."""
        replayable = self.state == "sent" and self.message.channel == Channel.WEBHOOK
        return self.state == "given-up" or (replayable and self.message.route_id is not None)


@dataclass(frozen=True, slots=True)
class Counted:
    """How many messages of the outbox wait, were given up, were sent."""

    waiting: int
    given_up: int
    sent: int


def route_rows(project: Project) -> list[RouteRow]:
    """Every route, e-mails first."""
    found = Route.objects.filter(project=project).order_by("channel", "address")
    return [RouteRow(one, [str(event.label) for event in ROUTED if event in one.events]) for one in found]


def event_choices() -> list[tuple[str, str]]:
    """What a route may carry, in words."""
    return [(str(event), str(event.label)) for event in ROUTED]


def letters_of(project: Project, *, view: str, key: str) -> Page[Message]:
    """A page of the outbox, the latest first; who gave up first is seen by the view of what was given up."""
    return newest_first(Message.objects.filter(VIEWS[view], project=project), key=key, size=PAGE)


def letter_row(message: Message) -> LetterRow:
    """How it stands."""
    state = "sent" if message.sent_at else "given-up" if message.given_up_at else "waiting"
    return LetterRow(message, state, error_words(message.error), max(0, len(PAUSES_S) + 1 - message.tries))


def counted(project: Project) -> Counted:
    """In one query."""
    found = Message.objects.filter(project=project).aggregate(
        waiting=Count("pk", filter=VIEWS["waiting"]),
        given_up=Count("pk", filter=VIEWS["given-up"]),
        sent=Count("pk", filter=VIEWS["sent"]),
    )
    return Counted(**found)


def error_words(code: str) -> str:
    """Why it did not arrive; a code that has no words stands for itself."""
    if code.startswith("http-"):
        return gettext("the receiver answered HTTP %(status)s") % {"status": code.removeprefix("http-")}
    return str(ERRORS.get(code, code))


def mail_folder() -> str:
    """Where e-mails lie when no mail server is configured; "" when there is one."""
    return "" if settings.EMAIL_HOST else str(settings.EMAIL_FILE_PATH or "")


def is_webhook(route: Route) -> bool:
    """Whether it is called, not written to."""
    return route.channel == Channel.WEBHOOK


def event_word(event: str) -> str:
    """What happened."""
    return str(Event(event).label) if event in Event.values else event
