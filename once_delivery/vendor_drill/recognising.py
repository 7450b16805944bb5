"""Which value a request carries at the agreed place, and what an answer calls its object. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from email import policy
from email.message import Message
from email.parser import BytesParser
from typing import Any
from urllib.parse import parse_qs

import jsonpointer

from once_delivery.common import redact
from once_delivery.vendor_drill.models.drill import Recognise
from once_delivery.vendor_drill.paths import IDS, last_step

Headers = Sequence[tuple[str, str]]
MOST_NAMES = 8
_LONGEST_NAME = 300


def header(headers: Headers, name: str) -> str:
    """The first value of a header, "" when it is not there."""
    wanted = name.casefold()
    return next((value for key, value in headers if key.casefold() == wanted), "")


def value_in(recognise: str, place: str, headers: Headers, body: bytes) -> str:
    """What stands at ``place``, "" when nothing does or the body cannot be read.

    Whatever a vendor sends: a call that could not be read would else be neither recorded nor forwarded.
    """
    try:
        return _value_in(recognise, place, headers, body)
    except Exception:  # noqa: BLE001 - Python's e-mail parser raises what it happens to run into
        return ""


def _value_in(recognise: str, place: str, headers: Headers, body: bytes) -> str:
    match recognise:
        case Recognise.HEADER:
            return header(headers, place).strip()
        case Recognise.JSON:
            return _at_pointer(place, body)
        case Recognise.FORM:
            return _in_form(place, header(headers, "content-type"), body)
        case _:
            return ""


def _at_pointer(place: str, body: bytes) -> str:
    try:
        found = jsonpointer.resolve_pointer(json.loads(body), place, None)
    except (ValueError, RecursionError, jsonpointer.JsonPointerException, TypeError):
        return ""
    return str(found).strip() if isinstance(found, str | int | float) else ""


def _in_form(place: str, content_type: str, body: bytes) -> str:
    kind = content_type.partition(";")[0].strip().casefold()
    if kind == "application/x-www-form-urlencoded":
        try:
            fields = parse_qs(body.decode("utf-8", errors="replace"), max_num_fields=1000)
        except ValueError:
            return ""
        return fields.get(place, [""])[0].strip()
    if kind == "multipart/form-data":
        return _in_parts(place, content_type, body)
    return ""


def _in_parts(place: str, content_type: str, body: bytes) -> str:
    start = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", errors="replace")
    message = BytesParser(policy=policy.default).parsebytes(start + body)
    for part in message.iter_parts() if message.is_multipart() else ():
        if _name_of(part) == place:
            found = part.get_payload(decode=True)
            return found.decode("utf-8", errors="replace").strip() if isinstance(found, bytes) else ""
    return ""


def _name_of(part: Message) -> object:
    """None for a part that cannot be read: those beside it still can."""
    try:
        return part.get_param("name", header="content-disposition")
    except Exception:  # noqa: BLE001 - see value_in
        return None


def names_in(headers: Headers, body: bytes) -> list[str]:
    """What an answer calls the object that was made: IDs in its document, the end of its ``Location``."""
    found = [*_ids(document_of(body)), last_step(header(headers, "location"))]
    fit = [redact.storable(one)[:_LONGEST_NAME] for one in found]
    return list(dict.fromkeys(one for one in fit if one))[:MOST_NAMES]


def document_of(body: bytes | str) -> Any:
    """The JSON in it, None when it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def listed_ids(document: Any) -> frozenset[str]:
    """Of every object that an answer is about: itself, those of its list, those below its ``data`` or ``items``."""
    holders = list(_members(document))
    holders += [one for holder in holders for one in _members(holder)]
    return frozenset(name for one in [document, *holders] for name in _own(one))


def _members(holder: Any) -> Iterator[Any]:
    if isinstance(holder, list):
        yield from holder
    # what stands below an object is not what was asked for
    elif isinstance(holder, dict) and not _own(holder):
        yield from holder.values()


def _ids(document: Any) -> list[str]:
    """Of the object itself, else of its ``data`` or the only one in a list (``{"posts": [{"id": …}]}``)."""
    if isinstance(document, list) and len(document) == 1:
        document = document[0]
    if not isinstance(document, dict):
        return []
    within = [one[0] if isinstance(one, list) and len(one) == 1 else one for one in document.values()]
    return _own(document) or [name for one in within for name in _own(one)]


def _own(holder: Any) -> list[str]:
    if not isinstance(holder, dict):
        return []
    found = [holder.get(key) for key in IDS]
    return [str(one) for one in found if isinstance(one, str | int) and not isinstance(one, bool)]
