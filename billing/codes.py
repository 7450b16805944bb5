"""Codes made of what people type: two names that are two to a reader do not become one."""

from __future__ import annotations

import unicodedata

from django.utils.text import slugify

from once_delivery.common import canonical


def code_of(text: str) -> str:
    """Lower case, hyphens for blanks, no accents; other scripts are kept, as in 阿里云-ai. Empty for signs alone."""
    whole = slugify(text, allow_unicode=True)
    letters = (sign for sign in unicodedata.normalize("NFKD", whole) if not unicodedata.combining(sign))
    return slugify(text) if all(sign.isascii() for sign in letters) else whole


def drops_signs(text: str) -> bool:
    """Whether :func:`code_of` leaves out more than blanks: “fee+” and “fee-” would be one."""
    folded = unicodedata.normalize("NFKC", text)
    return any(not (sign.isalnum() or sign.isspace() or sign in "-_") for sign in folded)


def same_name(one: str, other: str) -> bool:
    """Whether a reader takes two names for one: blanks, case and width aside."""
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    try:
        return canonical.code(name, longest=1000)
    except canonical.BadIdentityError:
        return name.strip().casefold()
