"""Signatures of webhooks, as the Standard Webhooks specification has them (version 1)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from binascii import Error as NotBase64Error
from datetime import datetime

PREFIX = "whsec_"
TOLERANCE_S = 300


def new_webhook_secret() -> str:
    """24 random bytes in base64, with the prefix that tells what it is."""
    return PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


def signed_headers(*, secret: str, message_id: str, at: datetime, body: bytes) -> dict[str, str]:
    """``webhook-id``, ``webhook-timestamp`` (Unix seconds) and ``webhook-signature`` of ``body``."""
    timestamp = str(int(at.timestamp()))
    return {
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{_signature(secret, message_id, timestamp, body)}",
    }


def is_signed(*, secret: str, headers: dict[str, str], body: bytes, now: datetime) -> bool:
    """Whether these headers are of this body, and not older or newer than five minutes. For who receives."""
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(now.timestamp() - int(timestamp)) > TOLERANCE_S:
        return False
    expected = _signature(secret, headers.get("webhook-id", ""), timestamp, body)
    given = [one.partition(",") for one in headers.get("webhook-signature", "").split()]
    return any(
        version == "v1" and hmac.compare_digest(signature, expected) for version, _, signature in given
    )


def _signature(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except NotBase64Error:
        key = secret.encode()
    signed = b".".join((message_id.encode(), timestamp.encode(), body))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
