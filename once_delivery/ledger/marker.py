"""The marker and the ID that we plant at the target: derived from what an action means, never from a run."""

from __future__ import annotations

import base64
import hashlib
import uuid
from dataclasses import astuple, dataclass

_NAMESPACE = uuid.UUID("6f2b5c1e-0d6b-5b63-9a53-8d2f0c7f4e11")


@dataclass(frozen=True, slots=True)
class ActionIdentity:
    """Everything that makes two actions the same one; all parts canonical."""

    project: str  # UUID
    product: str
    locale: str
    purpose: str
    input_version: int
    target: str  # UUID
    kind: str
    slot: str


def marker_of(identity: ActionIdentity) -> str:
    """``once-`` and 26 of [a-z2-7]: 130 bits of SHA-256. Fits slugs, header values and ID fields everywhere.

    Never digits only, under 190 characters, lower case: what WordPress, Ghost and Contentful ask of a key.
    """
    joined = "\x1f".join(str(part) for part in astuple(identity))
    digest = hashlib.sha256(joined.encode()).digest()
    return "once-" + base64.b32encode(digest).decode("ascii").lower()[:26]


def client_id_of(marker: str) -> uuid.UUID:
    """The object ID that we choose where a target lets us: UUIDv5 of the marker, written in lower case."""
    return uuid.uuid5(_NAMESPACE, marker)


def idempotency_key_of(marker: str, generation: int) -> str:
    """The key of one generation; a new one only after a definite "no" or proven absence."""
    return marker if generation == 1 else f"{marker}-{generation}"
