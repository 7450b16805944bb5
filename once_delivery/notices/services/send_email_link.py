"""The link to an address that somebody wants to be reached at."""

from __future__ import annotations

from django.utils import timezone

from once_delivery.accounts.models import User
from once_delivery.accounts.services.change_email import VALID_FOR, email_claim
from once_delivery.common.secrets import seal
from once_delivery.notices.models import Channel, Event, Message
from once_delivery.notices.wording import written

_SECONDS_AN_HOUR = 3600


def send_email_link(*, user: User, email: str, language: str) -> None:
    """Afterwards it waits in the outbox; what is written there is sealed until it is sent, and then thrown away."""
    data = {
        "name": user.username,
        "hours": int(VALID_FOR.total_seconds()) // _SECONDS_AN_HOUR,
        "path": f"/account/email/{email_claim(user=user, email=email)}/",
    }
    subject, text = written(Event.EMAIL_CHANGE, data, language=user.language or language)
    Message.objects.create(
        channel=Channel.EMAIL,
        address=email,
        event=Event.EMAIL_CHANGE,
        subject=subject,
        text_sealed=seal({"text": text}),
        next_try_at=timezone.now(),
    )
