"""From a line of a listing, or the headers of an object, to a FoundObject."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from once_delivery.common.moments import mail_time_of, meant
from once_delivery.targets.base import FoundObject
from once_delivery.targets.http_json.values import identifier, plain_text
from once_delivery.targets.s3.keys import Template
from once_delivery.targets.s3.payload import MARKER


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a listing, as it stands today. ``deleted``: its newest version is a delete marker."""

    key: str
    etag: str
    size: int
    modified: datetime | None
    deleted: bool = False

    @property
    def is_folder(self) -> bool:
        """What a console puts down for an empty folder."""
        return self.key.endswith("/") and self.size == 0


def found_entry(template: Template, entry: Entry, url: str) -> FoundObject:
    """The key carries the marker, so that no object needs to be read for it."""
    return FoundObject(
        result_id=result_id_of(entry.key),
        marker=template.marker_of(entry.key),
        url=url,
        status="deleted" if entry.deleted else "stored",
        title=plain_text(entry.key.rpartition("/")[2]),
        created_at=entry.modified,
        updated_at=entry.modified,
        content_hash=entry.etag,
        trashed=entry.deleted,
        version=entry.etag,
        place=entry.key,
    )


def found_headers(template: Template, key: str, headers: Mapping[str, str], url: str) -> FoundObject:
    """From the answer to HEAD or GET."""
    entry = Entry(
        key, bare(headers.get("etag", "")), 0, meant(mail_time_of(headers.get("last-modified", "")))
    )
    return replace(found_entry(template, entry, url), place="")


def other_marker(marker: str, headers: Mapping[str, str]) -> str:
    """The marker in an object's own words when it is another than its key's; "" when it agrees or says nothing.

    Somebody who stores a file anew in a console leaves out our words; the key stays.
    """
    said = headers.get(MARKER, "")
    return "" if said in {"", marker} else said


def result_id_of(key: str) -> str:
    """The key itself, which ours always can be; of others' the strangest get a name that stands for them."""
    return identifier(key) or f"key-sha256:{hashlib.sha256(key.encode()).hexdigest()}"


def bare(etag: str) -> str:
    """An ETag without its quotes."""
    return etag.strip().removeprefix("W/").strip('"')
