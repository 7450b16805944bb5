"""Canonical forms: one spelling for one meaning, and one hash for one content."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import Any

import rfc8785
from django.utils.translation import gettext_noop
from langcodes import Language, standardize_tag
from langcodes.tag_parser import LanguageTagError

from once_delivery.common.errors import DomainError

_SPACE = re.compile(r"\s+")
# What cannot be seen must not make two identities: zero-width space, word joiner, byte-order mark, soft hyphen,
# direction marks (text pasted from a right-to-left page brings them along) and the emoji variation selector.
# The zero-width joiners stay: they carry meaning in Persian, Hindi and emoji.
_INVISIBLE = dict.fromkeys(
    [
        0x00AD,
        0x200B,
        0x200E,
        0x200F,
        0x061C,
        *range(0x202A, 0x202F),
        0x2060,
        *range(0x2066, 0x206A),
        0xFE0F,
        0xFEFF,
    ]
)
_LOCALE_LONGEST = 35  # RFC 5646, section 4.4.1


class UnknownLocaleError(DomainError):
    """Not a language tag of BCP 47."""

    code = "unknown-locale"
    template = gettext_noop("“%(value)s” is not a language tag (BCP 47), such as de-CH or zh-Hans.")


class BadIdentityError(DomainError):
    """A part of an identity is empty, too long, or holds control characters."""

    code = "bad-identity"
    template = gettext_noop(
        "%(name)s “%(value)s” cannot be part of an identity: it is empty, too long or has control characters."
    )


def text(value: str, *, name: str = "value", longest: int = 100) -> str:
    """Unicode NFC, inner white space folded to one blank, trimmed, invisible characters removed.

    Case is kept: “Pro” and “pro” are two. Raises BadIdentityError.
    """
    folded = _SPACE.sub(" ", unicodedata.normalize("NFC", value.translate(_INVISIBLE))).strip()
    if (
        not folded
        or len(folded) > longest
        or any(unicodedata.category(char) in {"Cc", "Cs"} for char in folded)
    ):
        raise BadIdentityError(name=name, value=value[:80])
    return folded


def code(value: str, *, name: str = "code", longest: int = 100) -> str:
    """As :func:`text`, case-folded and NFKC: for codes that people type (product, purpose), full-width or not.

    Folding too much is loud (other content under one identity is refused); folding too little is a silent duplicate.
    """
    folded = unicodedata.normalize("NFKC", text(value, name=name, longest=longest))
    return text(unicodedata.normalize("NFKC", folded.casefold()), name=name, longest=longest)


@lru_cache(maxsize=4096)
def locale(value: str) -> str:
    """The canonical BCP 47 tag: ``de_CH`` and ``DE-ch`` are ``de-CH``. Raises UnknownLocaleError."""
    try:
        tag = standardize_tag(value.strip().replace("_", "-"))
        language = Language.get(tag)
    except (LanguageTagError, ValueError):
        raise UnknownLocaleError(value=value[:80]) from None
    if not language.is_valid() or not language.language or len(tag) > _LOCALE_LONGEST:
        raise UnknownLocaleError(value=value[:80])
    return tag


def canonical_json(data: Any) -> bytes:
    """RFC 8785 bytes of ``data``; raises ValueError for what JSON cannot say (NaN, integers over 2^53)."""
    return rfc8785.dumps(data)


def fingerprint(data: Any) -> str:
    """SHA-256 of the canonical JSON, 64 hex digits."""
    return hashlib.sha256(canonical_json(data)).hexdigest()
