"""Take secrets out of whatever is stored or shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

HIDDEN = "***"
EXCERPT = 2000

_SECRET_NAME = re.compile(
    r"authoriz|cookie|passw|passphrase|secret|token|credential|signature|session[-_]?id|csrf"
    r"|api[-_]?key|access[-_]?key|private[-_]?key|\bpwd\b|\bauth\b|^x-.*-key$",
    re.IGNORECASE,
)
# Names that only sound like one: a page's token is needed to understand an answer.
_NOT_SECRET = re.compile(r"^(next|page|continuation|sync)[-_]?(page)?[-_]?token$", re.IGNORECASE)
_SCHEMES = "bearer|basic|digest|negotiate|token"
_IN_TEXT: tuple[tuple[re.Pattern[str], str], ...] = (
    # a name that says secret, and its value, quoted or not; each part is bounded, so that no text takes long
    (
        re.compile(
            r"(?i)((?:authorization|cookie|passw(?:or)?d|secret|token|api[-_]?key|access[-_]?key|signature)"
            r"[\"']?\s{0,3}[:=]\s{0,3})"
            rf"((?:{_SCHEMES})\s+[^\s,;&}}\"']+|\"(?:[^\"\\]|\\.)*\"?|'[^']*'?|[^\s,;&}}\"']+)"
        ),
        rf"\1{HIDDEN}",
    ),
    (re.compile(rf"(?i)\b({_SCHEMES})(\s{{1,3}}|%20)[A-Za-z0-9._~+/=-]{{6,}}"), rf"\1 {HIDDEN}"),
    (re.compile(r"\beyJ[\w-]+\.[\w-]+(\.[\w-]*)?"), HIDDEN),  # JSON Web Tokens
    (re.compile(r"(?i)(://[^:/@\s]{0,100}:)[^@/\s]{1,300}@"), rf"\1{HIDDEN}@"),
)
# shorter values are words like "admin" that also stand where nothing is secret
_SHORTEST = 6
# NUL: PostgreSQL refuses it. Lone surrogates: UTF-8 refuses them. Other controls would move a terminal's cursor.
_UNSTORABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def is_secret_name(name: str) -> bool:
    """Whether a header, field or parameter of this name holds a secret."""
    return bool(_SECRET_NAME.search(name)) and not _NOT_SECRET.match(name)


def headers(given: Mapping[str, str], secrets: Iterable[str] = ()) -> dict[str, str]:
    """``given`` with secret headers hidden."""
    known = tuple(secrets)
    return {name: HIDDEN if is_secret_name(name) else text(value, known) for name, value in given.items()}


def data(given: Any, secrets: Iterable[str] = ()) -> Any:
    """A copy of JSON ``given`` with the values of secret names, and ``secrets`` wherever they stand, hidden."""
    known = tuple(secrets)
    if isinstance(given, Mapping):
        return {
            text(str(key), known): HIDDEN if _hides(str(key), value) else data(value, known)
            for key, value in given.items()
        }
    if isinstance(given, list | tuple):
        return [data(value, known) for value in given]
    return text(given, known) if isinstance(given, str) else given


def _hides(key: str, value: Any) -> bool:
    # a count of tokens is no token
    return is_secret_name(key) and value is not None and not isinstance(value, bool | int | float)


def storable(given: str) -> str:
    """``given`` without the characters that PostgreSQL, UTF-8 or a terminal cannot bear."""
    return _UNSTORABLE.sub("", given)


def text(given: str, secrets: Iterable[str] = ()) -> str:
    """``given`` without what looks like a secret, without ``secrets``, and fit to be stored."""
    cleaned = storable(given)
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            cleaned = cleaned.replace(secret, HIDDEN)
    for pattern, instead in _IN_TEXT:
        cleaned = pattern.sub(instead, cleaned)
    return cleaned


def excerpt(given: bytes | str, secrets: Iterable[str] = (), *, longest: int = EXCERPT) -> str:
    """The beginning of a body, redacted, at most ``longest`` characters."""
    # cut before and after: patterns must not run over megabytes, and hiding changes the length
    known = tuple(secrets)
    start = given[: longest * 4]
    decoded = start.decode("utf-8", errors="replace") if isinstance(start, bytes) else start
    decoded = decoded[: longest + longest // 4]
    return text(_without_cut_secret(decoded, known), known)[:longest]


def _without_cut_secret(start: str, secrets: tuple[str, ...]) -> str:
    """Drop the beginning of a secret that the cut has left at the end."""
    for secret in secrets:
        for length in range(min(len(secret) - 1, len(start)), _SHORTEST - 1, -1):
            if start.endswith(secret[:length]):
                return start[:-length]
    return start
