"""What is wrong with a catalog: each problem a line that names the string."""

from __future__ import annotations

import re
from collections.abc import Iterator

from babel.messages.catalog import Catalog, Message

# %(name)s, %s, %d; {name} of str.format is not used in translatable strings
PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[#0 +-]*\d*(?:\.\d+)?[sdifr]")
SHOWN = 70

Key = tuple[str | tuple[str, ...], str | None]


def problems(catalog: Catalog, template: Catalog) -> Iterator[str]:
    known = {_key(message): message for message in catalog if message.id}
    wanted = {_key(message) for message in template if message.id}
    for key in sorted(wanted - known.keys(), key=str):
        yield f"missing: {_shown(key)}"
    for key in sorted(known.keys() - wanted, key=str):
        yield f"no longer used: {_shown(key)}"
    for key in sorted(wanted & known.keys(), key=str):
        yield from _problems_of(known[key])


def _problems_of(message: Message) -> Iterator[str]:
    shown = _shown(_key(message))
    if message.fuzzy:
        yield f"fuzzy: {shown}"
    translations = message.string if isinstance(message.string, list | tuple) else (message.string,)
    if not all(translations):
        yield f"untranslated: {shown}"
        return
    original = message.id[-1] if isinstance(message.id, list | tuple) else message.id
    for translation in translations:
        if translation and _placeholders(original) != _placeholders(translation):
            yield f"placeholders differ: {shown} → {translation[:SHOWN]!r}"


def _placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text.replace("%%", "")))


def _key(message: Message) -> Key:
    return (message.id if isinstance(message.id, str) else tuple(message.id), message.context)


def _shown(key: Key) -> str:
    text, context = key
    first = text if isinstance(text, str) else text[0]
    return repr(first[:SHOWN]) + (f" ({context})" if context else "")
