"""Where a project's events go: added, changed, removed by its admins."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_noop

from once_delivery.accounts.access import must_be_admin
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.common.http import HttpError
from once_delivery.common.http.message import parse_url
from once_delivery.common.secrets import seal
from once_delivery.notices.models import ROUTED, Channel, Route
from once_delivery.notices.signing import new_webhook_secret

_LONGEST = 500


class BadRouteError(DomainError):
    """A route needs an address of its kind and at least one event. ``field``: which of them is wrong."""

    code = "bad-route"
    field = "address"
    template = gettext_noop("“%(address)s” is no address of this kind.")


class RouteEventsError(BadRouteError):
    """No event, or one that is not told."""

    field = "events"
    template = gettext_noop("Choose at least one event of these.")


def add_route(
    *, project: Project, channel: str, address: str, events: Sequence[str], user: User
) -> tuple[Route, str]:
    """A route, and for a webhook the secret of its signature, which is shown once.

    The same address again takes the new events. Raises NotAdminError, BadRouteError.
    """
    must_be_admin(user, project)
    place = address.strip()
    if len(place) > _LONGEST or not _fits(channel, place):
        raise BadRouteError(address=address[:100])
    if not events or not set(events) <= set(ROUTED):
        raise RouteEventsError
    secret = new_webhook_secret() if channel == Channel.WEBHOOK else ""
    route, _ = Route.objects.update_or_create(
        project=project,
        channel=channel,
        address=place,
        defaults={
            "events": sorted(set(events)),
            "active": True,
            "secret_sealed": seal({"secret": secret} if secret else {}),
        },
    )
    return route, secret


def remove_route(*, route: Route, user: User) -> None:
    """Afterwards nothing goes there; what was sent stays in the list. Raises NotAdminError."""
    must_be_admin(user, route.project)
    route.delete()


def _fits(channel: str, address: str) -> bool:
    if channel == Channel.EMAIL:
        try:
            validate_email(address)
        except ValidationError:
            return False
        return True
    if channel == Channel.WEBHOOK:
        try:
            parse_url(address)
        except HttpError:
            return False
        return True
    return False
