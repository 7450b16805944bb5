"""What of a draft's content a reader reads, whatever the target says beside it of what the draft is for. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import rfc8785

# names of our payload that say what a text is for and where it stands: the task has them, no reader calls them text
_NOT_READ = frozenset({"product", "locale", "purpose", "slug"})


def hash_of(content: Mapping[str, str]) -> str:
    """SHA-256 of the canonical JSON: equal exactly when every field is."""
    return hashlib.sha256(rfc8785.dumps(dict(content))).hexdigest()


def text_hash_of(content: Mapping[str, str]) -> str:
    """The same of what is read alone; "" where there is nothing to read."""
    read = {name: text for name, text in content.items() if name not in _NOT_READ}
    return hash_of(read) if any(text.strip() for text in read.values()) else ""
