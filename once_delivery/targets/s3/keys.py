"""Keys of our objects: a fixed folder, the marker, and what follows it.

The marker stands where nothing variable comes before it, so that one listing by prefix shows everything of one action.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_MARKER = r"(once-[a-z2-7]{26})"
_NAME_LONGEST = 80
_NAME_BYTES = 160  # a key may have 1 024, a result ID 300 characters


@dataclass(frozen=True, slots=True)
class Template:
    """``files/{marker}/{name}``: ``prefix`` is what stands before the marker, ``rest`` what stands behind it."""

    prefix: str
    rest: str

    @classmethod
    def read(cls, text: str) -> Template:
        """From a declaration that fits the schema."""
        prefix, _, rest = text.partition("{marker}")
        return cls(prefix, rest)

    def key(self, marker: str, *, name: str, sha256: str) -> str:
        """The key of one action's object."""
        rest = self.rest.replace("{sha256}", sha256).replace("{name}", readable(name))
        return f"{self.beginning(marker)}{rest}"

    def only_key(self, marker: str) -> str:
        """The key where it follows from the marker alone, else nothing."""
        return "" if "{" in self.rest else self.prefix + marker + self.rest

    def beginning(self, marker: str) -> str:
        """What every key of this action begins with, and no other's."""
        return self.prefix + marker

    def marker_of(self, key: str) -> str | None:
        """The marker of a key that was made by this template, or None."""
        rest = re.escape(self.rest).replace(r"\{name\}", "[^/]+").replace(r"\{sha256\}", "[0-9a-f]{64}")
        found = re.fullmatch(re.escape(self.prefix) + _MARKER + rest, key)
        return found.group(1) if found else None


def readable(name: str) -> str:
    """A file's name as the last part of a key: letters and digits of any script stay, the rest becomes a dash.

    S3 takes nearly everything, but not every program behind it does: ``+``, blanks, ``%`` and ``..`` get lost on the way.
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    clean = re.sub(r"[^\w.-]+", "-", last)
    stem, dot, ending = re.sub(r"\.{2,}", ".", clean).strip(".-").rpartition(".")
    if not dot:
        return _cut(ending, _NAME_BYTES) or "file"
    return f"{_cut(stem, _NAME_BYTES - 20) or 'file'}.{_cut(ending, 20)}"


def _cut(text: str, size: int) -> str:
    return text[:_NAME_LONGEST].encode()[:size].decode(errors="ignore").rstrip(".-")
