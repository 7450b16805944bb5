"""Send what is due from the outbox. A message may come twice after a crash; it always has the same ID."""

from __future__ import annotations

import json
import logging
import smtplib
from contextlib import closing
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from once_delivery.common.errors import DomainError
from once_delivery.common.http import HttpClient, HttpError, HttpRequest
from once_delivery.common.secrets import unseal
from once_delivery.notices.models import Channel, Message, Route
from once_delivery.notices.signing import signed_headers

logger = logging.getLogger(__name__)

DEADLINE_S = 15.0
HELD_S = 120.0  # how long one that is being sent is left alone by others
# after how long it is tried again; then it is given up, and shown
PAUSES_S = (5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400)
_OK = range(200, 300)
_GONE = 410


class NotDeliveredError(Exception):
    """It did not arrive, as far as one can tell; ``for_good``: trying again makes it no better."""

    def __init__(self, reason: str, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.for_good = for_good


def send_due_messages(*, limit: int = 50) -> int:
    """Afterwards up to ``limit`` messages that were due are sent, put off, or given up; returns how many were tried."""
    if connection.in_atomic_block:
        raise RuntimeError("sending inside a transaction")
    messages = _take(limit)
    with closing(HttpClient(allow_inside=settings.WEBHOOKS_MAY_GO_INSIDE)) as client:
        for message in messages:
            _try(message, client)
    return len(messages)


def _take(limit: int) -> list[Message]:
    now = timezone.now()
    with transaction.atomic():
        due = list(
            Message.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(next_try_at__lte=now)
            .select_related("route")
            .order_by("next_try_at")[:limit]
        )
        held = now + timedelta(seconds=HELD_S)
        Message.objects.filter(pk__in=[one.pk for one in due]).update(next_try_at=held, tries=F("tries") + 1)
    return due


def _try(message: Message, client: HttpClient) -> None:
    try:
        if message.channel == Channel.EMAIL:
            _mail(message)
        else:
            _post(message, client)
    except NotDeliveredError as error:
        _put_off(message, error)
        return
    Message.objects.filter(pk=message.pk).update(
        sent_at=timezone.now(), next_try_at=None, given_up_at=None, error="", text_sealed=b""
    )


def _mail(message: Message) -> None:
    mail = EmailMessage(
        message.subject,
        _text(message),
        to=[message.address],
        headers={"Message-ID": f"<{message.uuid}@{settings.MAIL_DOMAIN}>"},
    )
    try:
        mail.send()
    except (smtplib.SMTPException, OSError) as error:
        refused = isinstance(error, smtplib.SMTPRecipientsRefused)
        raise NotDeliveredError(type(error).__name__, for_good=refused) from error


def _text(message: Message) -> str:
    sealed = bytes(message.text_sealed)
    if not sealed:
        return message.text
    try:
        return unseal(sealed)["text"]
    except DomainError as error:
        raise NotDeliveredError(error.code) from error


def _post(message: Message, client: HttpClient) -> None:
    now = timezone.now()
    body = json.dumps(
        {"type": message.event, "timestamp": message.created_at.isoformat(), "data": message.data},
        ensure_ascii=False,
        sort_keys=True,
    ).encode()
    headers = {"Content-Type": "application/json", **_signature(message.route, message, now, body)}
    try:
        result = client.send(HttpRequest("POST", message.address, DEADLINE_S, headers, body=body))
    except HttpError as error:
        raise NotDeliveredError(error.code) from error
    if result.status not in _OK:
        raise NotDeliveredError(f"http-{result.status}", for_good=result.status == _GONE)


def _signature(route: Route | None, message: Message, now: datetime, body: bytes) -> dict[str, str]:
    if route is None:
        raise NotDeliveredError("route-removed", for_good=True)
    try:
        secret = unseal(bytes(route.secret_sealed)).get("secret", "")
    except DomainError as error:
        raise NotDeliveredError(error.code) from error
    return signed_headers(secret=secret, message_id=str(message.uuid), at=now, body=body)


def _put_off(message: Message, error: NotDeliveredError) -> None:
    tries = message.tries + 1
    over = error.for_good or tries > len(PAUSES_S)
    now = timezone.now()
    Message.objects.filter(pk=message.pk).update(
        error=error.reason[:200],
        next_try_at=None if over else now + timedelta(seconds=PAUSES_S[tries - 1]),
        given_up_at=now if over else None,
    )
    logger.warning("message not delivered", extra={"message_id": str(message.uuid), "reason": error.reason})
