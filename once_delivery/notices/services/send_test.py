"""One message on one route, to see whether it arrives."""

from __future__ import annotations

from django.utils import timezone

from once_delivery.accounts.access import must_be_admin
from once_delivery.accounts.models import User
from once_delivery.notices.models import Channel, Event, Message, Route
from once_delivery.notices.wording import written


def send_test(*, route: Route, user: User) -> Message:
    """Afterwards a test waits in the outbox for this route alone. Raises NotAdminError."""
    must_be_admin(user, route.project)
    data = {"by": user.get_full_name() or user.username, "project": route.project.name}
    subject, text = (
        written(Event.ROUTE_TEST, data, language=user.language)
        if route.channel == Channel.EMAIL
        else ("", "")
    )
    return Message.objects.create(
        project=route.project,
        route=route,
        channel=route.channel,
        address=route.address,
        event=Event.ROUTE_TEST,
        subject=subject,
        text=text,
        data=data,
        next_try_at=timezone.now(),
    )
