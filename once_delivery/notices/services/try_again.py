"""Take up again what was given up."""

from __future__ import annotations

from django.utils import timezone

from once_delivery.notices.models import Message


def try_again(*, message: Message) -> bool:
    """Afterwards a message that was given up is due again; False when it was not given up."""
    changed = Message.objects.filter(pk=message.pk, given_up_at__isnull=False).update(
        given_up_at=None, next_try_at=timezone.now(), tries=0
    )
    return bool(changed)
