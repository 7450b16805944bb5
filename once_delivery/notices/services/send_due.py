"""Send what is due from the outbox. A message may come twice after a crash; it always has the same ID.

It runs in the workers that deliver: one of them at a time, for a short time, and a receiver that says nothing is
waited for once, whatever waits for it.
"""

from __future__ import annotations

import logging
import time
from contextlib import closing
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Case, F, QuerySet, Value, When
from django.utils import timezone

from once_delivery.common.http import HttpClient
from once_delivery.common.http.deadline import Deadline
from once_delivery.common.work_lock import Work, at_work
from once_delivery.notices.models import Channel, Message
from once_delivery.notices.services.hand_over import NotDeliveredError, hand_over
from once_delivery.notices.silences import Place, Silences

logger = logging.getLogger(__name__)

RUN_S = 20.0  # none is begun after this; longer than one silence, which leaves time for the others
AT_ONCE = 50
HELD_S = 120.0  # how long one that is being sent is left alone by others
# after how long it is tried again; then it is given up, and shown
PAUSES_S = (5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400)
ALL_AFTER = 3  # silences in a row: it is not for one message's sake
_MAIL_SERVER: Place = (Channel.EMAIL, "")  # has to answer for all e-mails
_SILENCES = Silences()


def send_due_messages(*, silences: Silences = _SILENCES) -> int:
    """Afterwards what was due is sent, put off, or given up, or the time of a run is over; returns how many were tried.

    What there was no time for stays due, and so does what waits for a receiver that is left alone. Another run's
    work is left to it. Raises RuntimeError inside a transaction.
    """
    if connection.in_atomic_block:
        raise RuntimeError("sending inside a transaction")
    ends = Deadline.after(RUN_S)
    tried = 0
    # asked again when the lock is free: who was turned away meanwhile may have brought something new
    while not ends.over and _due(without=silences.resting()).exists():
        with at_work(Work.NOTICES, 0) as alone:
            now_tried = _send_until(ends, silences) if alone else 0
        if not now_tried:
            break
        tried += now_tried
    return tried


def _send_until(ends: Deadline, silences: Silences) -> int:
    tried = 0
    with closing(HttpClient(allow_inside=settings.WEBHOOKS_MAY_GO_INSIDE)) as client:
        while not ends.over and (held := _next(silences)):
            try:
                # after the first that keeps us waiting, who comes next is asked anew
                prompt = True
                while prompt and held and not ends.over:
                    tried += 1
                    prompt = _try(held.pop(0), client, silences)
            finally:
                _give_back(held)
    return tried


def _next(silences: Silences) -> list[Message]:
    """Those first that cost no waiting, then one of the others in turn."""
    held = _take(_due(without=silences.doubtful()), AT_ONCE)
    for place in silences.in_turn():
        held = held or _take(_at(place), 1)
    return held


def _due(*, without: set[Place]) -> QuerySet[Message]:
    due = Message.objects.filter(next_try_at__lte=timezone.now())
    if _MAIL_SERVER in without:
        due = due.exclude(channel=Channel.EMAIL)
    addresses = [address for channel, address in without if channel == Channel.WEBHOOK]
    return due.exclude(channel=Channel.WEBHOOK, address__in=addresses) if addresses else due


def _at(place: Place) -> QuerySet[Message]:
    channel, address = place
    due = Message.objects.filter(next_try_at__lte=timezone.now(), channel=channel)
    return due if place == _MAIL_SERVER else due.filter(address=address)


def _take(due: QuerySet[Message], most: int) -> list[Message]:
    until = timezone.now() + timedelta(seconds=HELD_S)
    with transaction.atomic():
        locked = due.select_for_update(skip_locked=True, of=("self",)).select_related("route")
        held = list(locked.order_by("next_try_at")[:most])
        Message.objects.filter(pk__in=[one.pk for one in held]).update(
            next_try_at=until, tries=F("tries") + 1
        )
    for message in held:
        message.next_try_at = until
        message.tries += 1
    return held


def _give_back(held: list[Message]) -> None:
    """They are due as before, and have lost no try."""
    if held:
        still = Message.objects.filter(pk__in=[one.pk for one in held], next_try_at=held[0].next_try_at)
        still.update(next_try_at=timezone.now(), tries=F("tries") - 1)


def _try(message: Message, client: HttpClient, silences: Silences) -> bool:
    """Whether its place answers promptly, as far as one knows."""
    mail = message.channel == Channel.EMAIL
    place: Place = _MAIL_SERVER if mail else (message.channel, message.address)
    begun = time.monotonic()
    silent: bool | None = False
    try:
        hand_over(message, client)
    except NotDeliveredError as error:
        silent = error.silent
        _put_off(message, error)
        if silent and silences.silent(place) >= ALL_AFTER:
            _put_off_all(place, error)
    else:
        _close(message, sent_at=timezone.now(), next_try_at=None, error="", text_sealed=b"")
    if silent is False:
        silences.answered(place, time.monotonic() - begun)
    return place not in silences.doubtful()


def _close(message: Message, **changes: object) -> None:
    """Only while it is held: after that, somebody else's word about it stands."""
    held = Message.objects.filter(pk=message.pk, next_try_at=message.next_try_at, tries=message.tries)
    if not held.update(**changes):
        logger.warning("message was held for too long", extra={"message_id": str(message.uuid)})


def _put_off(message: Message, error: NotDeliveredError) -> None:
    over = error.for_good or message.tries > len(PAUSES_S)
    now = timezone.now()
    _close(
        message,
        error=error.reason[:200],
        next_try_at=None if over else now + timedelta(seconds=PAUSES_S[message.tries - 1]),
        given_up_at=now if over else None,
    )
    logger.warning("message not delivered", extra={"message_id": str(message.uuid), "reason": error.reason})


def _put_off_all(place: Place, error: NotDeliveredError) -> None:
    """It is not one message's fault: each that is due there has been tried as well as it could be.

    Otherwise a thousand of them would wait for years until each was given up.
    """
    now = timezone.now()
    pauses = [
        When(tries=tries, then=Value(now + timedelta(seconds=pause))) for tries, pause in enumerate(PAUSES_S)
    ]
    put_off = _at(place).update(
        error=error.reason[:200],
        tries=F("tries") + 1,
        next_try_at=Case(*pauses, default=None),
        given_up_at=Case(When(tries__gte=len(PAUSES_S), then=Value(now)), default=None),
    )
    logger.warning("receiver is silent", extra={"put_off": put_off, "reason": error.reason})
