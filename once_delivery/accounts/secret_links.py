"""Secrets that are shown once: made, and kept as a hash alone."""

from __future__ import annotations

import hashlib
import secrets


def new_secret(prefix: str = "") -> str:
    """256 bits, fit for an address or a header."""
    return prefix + secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """What is kept. A fast hash is enough: nobody guesses 256 bits."""
    return hashlib.sha256(secret.encode()).hexdigest()
