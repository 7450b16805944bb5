"""Take up again what was given up, and send a webhook again to a receiver that has lost it."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from once_delivery.notices.models import Channel, Message

_GIVEN_UP = Q(given_up_at__isnull=False)
# a person need not be written to twice, and what opened a door is thrown away when it was sent
_REPLAYABLE = Q(sent_at__isnull=False, channel=Channel.WEBHOOK, route__isnull=False)


def try_again(*, message: Message) -> bool:
    """Afterwards the message is due again, under the ID that it had; False when it waits by itself or is not to be had.

    What was given up is tried from the beginning; of what was sent only webhooks are sent again.
    """
    found = Message.objects.filter(_GIVEN_UP | _REPLAYABLE, pk=message.pk)
    changed = Message.objects.filter(pk__in=found.values("pk")).update(
        given_up_at=None, sent_at=None, next_try_at=timezone.now(), tries=0
    )
    return bool(changed)
