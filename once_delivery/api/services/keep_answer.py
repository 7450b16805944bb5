"""The IETF Idempotency-Key header: the same key with the same request gets the answer that was given before.

Nothing depends on it: an identity is protected without any key.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import ApiToken
from once_delivery.api.models import KeptAnswer
from once_delivery.common.errors import DomainError
from once_delivery.common.secrets import seal, unseal

KEPT_FOR = timedelta(hours=24)
UNDER_WAY_FOR = timedelta(seconds=120)  # then whoever had it is gone


class InFlightError(DomainError):
    """The first request with this key is not answered yet."""

    code = "idempotency-in-flight"
    template = gettext_noop("A request with this Idempotency-Key is still under way. Ask again in a moment.")


class KeyReusedError(DomainError):
    """One key for two different requests."""

    code = "idempotency-key-reused"
    template = gettext_noop(
        "This Idempotency-Key was used for another request (first %(known)s, now %(given)s)."
    )


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it was given."""

    status: int
    media_type: str
    body: bytes


def print_of(*, method: str, path: str, body: bytes) -> str:
    """What two requests with one key must have in common."""
    return hashlib.sha256(b"\0".join((method.encode(), path.encode(), body))).hexdigest()


def begin(*, token: ApiToken, key: str, fingerprint: str) -> tuple[KeptAnswer, Kept | None]:
    """The row of this key, and its answer when there is one. Raises InFlightError, KeyReusedError."""
    now = timezone.now()
    KeptAnswer.objects.filter(token=token, key=key, begun_at__lt=now - KEPT_FOR).delete()
    with suppress(IntegrityError), transaction.atomic():
        return KeptAnswer.objects.create(token=token, key=key, fingerprint=fingerprint, begun_at=now), None
    kept = KeptAnswer.objects.filter(token=token, key=key).first()
    if kept is None:  # forgotten in between
        raise InFlightError
    if kept.fingerprint != fingerprint:
        raise KeyReusedError(known=kept.fingerprint[:12], given=fingerprint[:12])
    if kept.status is not None:
        return kept, Kept(kept.status, kept.media_type, unseal(bytes(kept.body_sealed))["body"].encode())
    taken = KeptAnswer.objects.filter(
        pk=kept.pk, begun_at=kept.begun_at, status=None, begun_at__lt=now - UNDER_WAY_FOR
    ).update(begun_at=now)
    if not taken:
        raise InFlightError
    return kept, None


def end(*, row: KeptAnswer, answer: Kept) -> None:
    """The answer is kept; one that says that something went wrong here is not, so that it can be asked again."""
    if answer.status >= 500:  # noqa: PLR2004 - of HTTP
        KeptAnswer.objects.filter(pk=row.pk).delete()
        return
    KeptAnswer.objects.filter(pk=row.pk).update(
        status=answer.status,
        media_type=answer.media_type,
        body_sealed=seal({"body": answer.body.decode()}),
    )


def forget(*, row: KeptAnswer) -> None:
    """The key is free again: its answer must not be given a second time (a permit, say)."""
    KeptAnswer.objects.filter(pk=row.pk).delete()


def purge() -> int:
    """Afterwards no answer is kept for longer than stated; returns how many went."""
    return KeptAnswer.objects.filter(begun_at__lt=timezone.now() - KEPT_FOR).delete()[0]
