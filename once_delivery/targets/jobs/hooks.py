"""Our claim in the address that a service calls when a job ends.

A call names the service's job and, by its address, our action: so a job is found again whose submit was never
answered, also where nothing can be asked. The address is signed, or anybody could hand us a job of his own. What a call
says is never the result: it only says where to look (the job is then read from the service, with our credentials).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.http_json.documents import at
from once_delivery.targets.http_json.values import identifier

KEY_CREDENTIAL = "hook_key"
_PURPOSE = b"once-delivery jobs hook 1\x00"
_CLAIM = re.compile(r"([a-z0-9-]{1,100})\.([a-z2-7]{26})")
_SIGNATURE_LETTERS = 26  # 130 bits


def claim_of(marker: str, hook_key: str) -> str:
    """The part of the address that stands for one action: its marker, and proof that we wrote it."""
    return f"{marker}.{_signature(marker, hook_key)}"


def address_of(hook_base_url: str, marker: str, hook_key: str) -> str:
    """Where the service is to call when the job of this action ends."""
    return f"{hook_base_url}/{claim_of(marker, hook_key)}/"


def claimed_marker(claim: str) -> str:
    """The marker that a claim names; nothing is proven by it. Nothing when it is none."""
    match = _CLAIM.fullmatch(claim)
    return match[1] if match else ""


def is_ours(claim: str, hook_key: str) -> bool:
    """Whether we wrote this claim."""
    match = _CLAIM.fullmatch(claim)
    return match is not None and hmac.compare_digest(match[2], _signature(match[1], hook_key))


def named_job(pointer: JsonPointer | None, document: Any) -> str:
    """The job that a call is about; nothing when it names none."""
    return identifier(at(pointer, document))


def _signature(marker: str, hook_key: str) -> str:
    digest = hmac.new(hook_key.encode(), _PURPOSE + marker.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode("ascii").lower()[:_SIGNATURE_LETTERS]
