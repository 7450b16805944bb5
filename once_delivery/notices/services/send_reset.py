"""A link for a new password, to whoever has this e-mail address."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from once_delivery.accounts.models import User
from once_delivery.common.secrets import seal
from once_delivery.notices.models import Channel, Event, Message
from once_delivery.notices.wording import written

AT_MOST_EVERY = timedelta(minutes=5)
_EMAIL_LONGEST = 254
_SECONDS_AN_HOUR = 3600


def send_reset(*, email: str, language: str) -> int:
    """Afterwards a link waits in the outbox for each active account with this address; returns how many.

    An address that was written to within five minutes gets no other one: nobody's mailbox is filled by strangers.
    """
    address = email.strip()
    if not address or len(address) > _EMAIL_LONGEST:
        return 0
    now = timezone.now()
    lately = Message.objects.filter(
        event=Event.PASSWORD_RESET, address__iexact=address, created_at__gt=now - AT_MOST_EVERY
    )
    people = User.objects.filter(email__iexact=address, is_active=True).order_by("pk")
    if lately.exists():
        return 0
    return len(
        Message.objects.bulk_create(
            [_message(user, language) for user in people if user.has_usable_password()]
        )
    )


def _message(user: User, language: str) -> Message:
    who = urlsafe_base64_encode(force_bytes(user.pk))
    data = {
        "name": user.username,
        "hours": settings.PASSWORD_RESET_TIMEOUT // _SECONDS_AN_HOUR,
        "path": f"/password/reset/{who}/{default_token_generator.make_token(user)}/",
    }
    subject, text = written(Event.PASSWORD_RESET, data, language=user.language or language)
    return Message(
        channel=Channel.EMAIL,
        address=user.email,  # as it is kept, not as it was typed
        event=Event.PASSWORD_RESET,
        subject=subject,
        text_sealed=seal({"text": text}),
        next_try_at=timezone.now(),
    )
