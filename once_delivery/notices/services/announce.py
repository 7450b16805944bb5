"""Put into the outbox what happened, for everybody who is to be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.utils import timezone, translation
from django.utils.functional import Promise

from once_delivery.accounts.models import Project, User
from once_delivery.common.secrets import seal
from once_delivery.notices.models import Channel, Event, Message, Route
from once_delivery.notices.wording import written


def announce(
    *,
    project: Project,
    event: Event,
    data: Mapping[str, Any],
    people: Sequence[User] = (),
    addresses: Sequence[tuple[str, str]] = (),
    private: Mapping[str, str] | None = None,
) -> list[Message]:
    """One message for each of ``people`` (in their language), each of ``addresses`` (e-mail, language) and each of the
    project's routes for this event. To be called in the transaction of what happened: both are kept or neither.

    ``data`` is JSON, and may hold lazy translations: each reader's e-mail says them in the reader's language, a webhook
    in the house's. ``private`` (a link that
    opens a door) is for people and addresses alone: no route carries it, and their text is kept sealed.
    """
    now = timezone.now()
    to = {(user.email, user.language) for user in people if user.email and user.is_active} | set(addresses)
    messages = [
        _email(project, event, data, address, language, private=private) for address, language in sorted(to)
    ]
    routes = Route.objects.filter(project=project, active=True)
    messages += [_routed(project, event, data, route) for route in routes if event in route.events]
    for message in messages:
        message.next_try_at = now
    return Message.objects.bulk_create(messages)


def announce_many(*, project: Project, told: Sequence[tuple[Event, Mapping[str, Any]]]) -> list[Message]:
    """As ``announce``, for many events at once and for the project's routes alone."""
    now = timezone.now()
    routes = list(Route.objects.filter(project=project, active=True))
    messages = [
        _routed(project, event, data, route)
        for event, data in told
        for route in routes
        if event in route.events
    ]
    for message in messages:
        message.next_try_at = now
    return Message.objects.bulk_create(messages)


def _routed(project: Project, event: Event, data: Mapping[str, Any], route: Route) -> Message:
    if route.channel == Channel.EMAIL:
        message = _email(project, event, data, route.address, "")
    else:
        message = Message(
            project=project,
            channel=Channel.WEBHOOK,
            address=route.address,
            event=event,
            data=_plain(data),
        )
    message.route = route
    return message


def _email(
    project: Project,
    event: Event,
    data: Mapping[str, Any],
    address: str,
    language: str,
    *,
    private: Mapping[str, str] | None = None,
) -> Message:
    filled = {**data, **(private or {}), "project": project.name}
    subject, text = written(event, filled, language=language)
    return Message(
        project=project,
        channel=Channel.EMAIL,
        address=address,
        event=event,
        subject=subject,
        text="" if private else text,
        text_sealed=seal({"text": text}) if private else b"",
        data=_plain(data),
    )


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    with translation.override(settings.LANGUAGE_CODE):
        return {name: str(value) if isinstance(value, Promise) else value for name, value in data.items()}
