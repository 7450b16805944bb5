"""Hand one message to the mail server or to a webhook's receiver."""

from __future__ import annotations

import json
import smtplib
from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import timezone

from once_delivery.common.errors import DomainError
from once_delivery.common.http import HttpClient, HttpError, HttpRequest, NoAnswerError
from once_delivery.common.secrets import unseal
from once_delivery.notices.models import Channel, Message, Route
from once_delivery.notices.signing import signed_headers

DEADLINE_S = 15.0
_OK = range(200, 300)
_GONE = 410
# nobody was there, or nobody spoke; to close or reset a connection is to say something, and quickly
_SILENT = frozenset(
    {
        "dns-failed",
        "dns-timeout",
        "connect-refused",
        "connect-timeout",
        "connect-failed",
        "tls-failed",
        "tls-timeout",
        "deadline-over",
        "deadline",
    }
)


class NotDeliveredError(Exception):
    """It did not arrive, as far as one can tell.

    ``for_good``: trying again makes it no better. ``silent``: whether the other side said nothing; None where it
    was not asked.
    """

    def __init__(self, reason: str, *, for_good: bool = False, silent: bool | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.for_good = for_good
        self.silent = silent


def hand_over(message: Message, client: HttpClient) -> None:
    """Afterwards the other side has taken it; raises NotDeliveredError."""
    if message.channel == Channel.EMAIL:
        _mail(message)
    else:
        _post(message, client)


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
        hung_up = isinstance(error, smtplib.SMTPServerDisconnected)
        silent = hung_up or not isinstance(error, smtplib.SMTPException)
        raise NotDeliveredError(type(error).__name__, for_good=refused, silent=silent) from error


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
        raise NotDeliveredError(error.code, silent=_was_silent(error)) from error
    if result.status not in _OK:
        raise NotDeliveredError(f"http-{result.status}", for_good=result.status == _GONE, silent=False)


def _was_silent(error: HttpError) -> bool | None:
    if error.code in _SILENT:
        return True
    return False if isinstance(error, NoAnswerError) else None


def _signature(route: Route | None, message: Message, now: datetime, body: bytes) -> dict[str, str]:
    if route is None:
        raise NotDeliveredError("route-removed", for_good=True)
    try:
        secret = unseal(bytes(route.secret_sealed)).get("secret", "")
    except DomainError as error:
        raise NotDeliveredError(error.code) from error
    return signed_headers(secret=secret, message_id=str(message.uuid), at=now, body=body)
