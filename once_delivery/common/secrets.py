"""Credentials at rest: sealed with keys that are not in the database.

``ONCE_SECRET_KEYS`` holds Fernet keys, separated by commas: the first seals, all of them open. To rotate, put a
new key in front, seal every target's credentials again (:func:`resealed`), then drop the old key. Without the
setting a key is derived from Django's SECRET_KEY (and its fallbacks).
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Mapping
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from once_delivery.common.errors import DomainError

# Names the format and the cipher, so that a later one can be told apart.
_VERSION = b"1:"
_DERIVED_FOR = b"once-delivery credentials v1:"


class BadSecretKeyError(DomainError):
    """A key of ONCE_SECRET_KEYS is not a Fernet key."""

    code = "bad-secret-key"
    template = _("Key number %(number)s of ONCE_SECRET_KEYS is not a Fernet key (32 bytes, URL-safe base64).")


class SealedWithOtherKeyError(DomainError):
    """No key opens the sealed credentials, or they were damaged."""

    code = "secret-unreadable"
    template = _("Stored credentials cannot be opened: the key has changed or they are damaged. Enter them again, or add the old key to ONCE_SECRET_KEYS.")  # fmt: skip


class SealedByNewerVersionError(DomainError):
    """The sealed credentials have a format that this program does not know."""

    code = "secret-version"
    template = _("Stored credentials were written by a newer version of this program.")


class BadCredentialsError(DomainError):
    """Credentials are names with text values."""

    code = "bad-credentials"
    template = _("Credentials must be names with text values.")


def seal(credentials: Mapping[str, str]) -> bytes:
    """What may be stored. No credentials at all are stored as nothing."""
    if not all(isinstance(part, str) for pair in credentials.items() for part in pair):
        raise BadCredentialsError
    if not credentials:
        return b""
    plain = json.dumps(dict(credentials), sort_keys=True).encode()
    return _VERSION + _box().encrypt(plain)


def unseal(sealed: bytes | memoryview) -> dict[str, str]:
    """The credentials in the clear; raises SealedWithOtherKeyError or SealedByNewerVersionError."""
    sealed = bytes(sealed)
    if not sealed:
        return {}
    if not sealed.startswith(_VERSION):
        raise SealedByNewerVersionError
    try:
        plain = _box().decrypt(sealed.removeprefix(_VERSION))
    except InvalidToken:
        raise SealedWithOtherKeyError from None
    return dict(json.loads(plain))


def resealed(sealed: bytes | memoryview) -> bytes:
    """The same credentials under the first key."""
    return seal(unseal(sealed))


def new_key() -> str:
    """A key for ONCE_SECRET_KEYS."""
    return Fernet.generate_key().decode("ascii")


def _box() -> MultiFernet:
    given = getattr(settings, "ONCE_SECRET_KEYS", None)
    if given is None:
        given = os.environ.get("ONCE_SECRET_KEYS", "")
    keys = given.split(",") if isinstance(given, str) else given
    return _box_for(
        tuple(key.strip() for key in keys if key.strip()),
        (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS),
    )


@lru_cache(maxsize=8)
def _box_for(keys: tuple[str, ...], django_keys: tuple[str, ...]) -> MultiFernet:
    # the derived keys stay able to open, so that setting ONCE_SECRET_KEYS later loses nothing
    return MultiFernet([*(_fernet(key, at) for at, key in enumerate(keys, 1)), *map(_derived, django_keys)])


def _fernet(key: str, number: int) -> Fernet:
    try:
        return Fernet(key)
    except ValueError:
        raise BadSecretKeyError(number=number) from None


def _derived(django_key: str) -> Fernet:
    # SECRET_KEY is a long random string, so that one pass of a hash is enough
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(_DERIVED_FOR + django_key.encode()).digest()))
