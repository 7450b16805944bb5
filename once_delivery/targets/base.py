"""What a connector is: frozen dataclasses in, frozen dataclasses out.

A connector is the only code that speaks to a target. It touches no database, hides no retry and decides
nothing about what comes next: it sends one request and says truthfully what is known afterwards.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol


class Kind(enum.StrEnum):
    """What an action does at the target."""

    CREATE_DRAFT = "create_draft"
    UPDATE_DRAFT = "update_draft"
    UPLOAD_FILE = "upload_file"
    START_JOB = "start_job"


class Outcome(enum.StrEnum):
    """What one request that could have an effect is known to have done (DESIGN section 4)."""

    DONE = "done"  # a readable result ID, and the right marker where the target echoes it
    ACCEPTED = "accepted"  # an ID was given, the target's asynchronous work is not finished
    EXISTS = "exists"  # the target says that it has this already: look up at once
    REFUSED = "refused"  # a definite no; nothing was made
    NOT_SENT = "not_sent"  # no connection was opened; not a byte has left
    NOT_DONE = "not_done"  # the target answered that it did not process it (429, 503 + Retry-After)
    UNKNOWN = "unknown"  # it may have reached the target


class Verdict(enum.StrEnum):
    """What one look at the target showed."""

    FOUND = "found"
    FOUND_MANY = "found_many"
    ABSENT = "absent"
    CANNOT_TELL = "cannot_tell"


class Presence(enum.StrEnum):
    """How a confirmed object stands at the target today."""

    UNCHECKED = "unchecked"
    PRESENT = "present"
    DUPLICATE = "duplicate"
    TRASHED = "trashed"
    MISSING = "missing"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class FileBytes:
    """Bytes to upload, and what they are."""

    name: str
    media_type: str
    sha256: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Original:
    """The draft that an update takes to a newer input version.

    ``version`` is the target's own word for the state in which we last saw it (``FoundObject.version``): the update is
    for that state alone, and must be refused when somebody has changed the draft since.
    """

    result_id: str
    marker: str  # the one that the object carries: that of the action which created it
    version: str


@dataclass(frozen=True, slots=True)
class EffectRequest:
    """One request that could have an effect.

    ``payload`` is final: results of other actions are filled in. ``replay`` says that the same request may
    have been sent before, under the target's own protection. ``original`` is there for ``UPDATE_DRAFT`` alone.
    """

    kind: Kind
    marker: str
    client_id: str
    idempotency_key: str
    payload: Mapping[str, Any]
    deadline_s: float
    files: Mapping[str, FileBytes] = field(default_factory=dict)  # by sha256
    replay: bool = False
    original: Original | None = None
    failed_before: int = 0  # jobs that earlier tries of the same action made, and that failed


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known after one :class:`EffectRequest`.

    ``marker`` is what the target echoed (None when it echoed none); of an update it is the original's. ``version`` is
    that of the object after the effect, "" where the answer does not tell. ``code`` is a stable kebab-case reason,
    such as ``connect-timeout``, ``deadline``, ``reset``, ``http-500``, ``unreadable-json``,
    ``marker-mismatch``. ``excerpt`` is at most 2 000 characters and redacted.
    """

    outcome: Outcome
    code: str
    result_id: str = ""
    marker: str | None = None
    url: str = ""
    http_status: int | None = None
    retry_after_s: float | None = None
    detail: str = ""
    excerpt: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""


@dataclass(frozen=True, slots=True)
class LookUpRequest:
    """Find what carries ``marker``; ``result_id`` is given when an ID is already known.

    ``payload`` is what was to be made; it serves to find candidates that look alike, and may be empty. With
    ``original``: has this update been done (``targets/updating.py``)? What follows is for objects without a marker.
    """

    kind: Kind
    marker: str
    client_id: str
    deadline_s: float
    result_id: str = ""
    payload: Mapping[str, Any] = field(default_factory=dict)
    original: Original | None = None
    failed_before: int = 0  # as in the request that was sent
    sent_at: datetime | None = None  # first send that may have arrived, by the ledger's clock
    asked_at: datetime | None = None  # now, by the same clock
    taken: frozenset[str] = frozenset()  # result IDs that others have, or that have failed before
    rivals: tuple[Mapping[str, Any], ...] = ()  # orders of others that may have made one too


@dataclass(frozen=True, slots=True)
class FoundObject:
    """One object at the target.

    ``version`` changes with every change of the object, and is what an update is guarded by (ETag, ``updated_at``,
    revision number). ``content`` is what a person reads in it, by the names of our payload (``title``, ``body``, …);
    only ``read`` fills it. ``place`` is where an inventory can go on after this object.
    """

    result_id: str
    marker: str | None
    url: str = ""
    status: str = ""  # the target's own word: draft, published, trash, …
    title: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    content_hash: str = ""
    finished: bool = True  # False: an asynchronous job that still runs
    failed: bool = False  # True: an asynchronous job that ended without a result
    trashed: bool = False
    usage: Mapping[str, Any] = field(default_factory=dict)  # what the target says that it cost
    version: str = ""
    content: Mapping[str, str] = field(default_factory=dict)
    place: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """What one look-up showed.

    ``objects`` carry our marker; ``candidates`` merely look alike (R6). ``complete`` is true only when every
    page and every status was read. ``code`` explains CANNOT_TELL (``http-500``, ``forbidden``, …).
    """

    verdict: Verdict
    method: str
    complete: bool
    objects: tuple[FoundObject, ...] = ()
    candidates: tuple[FoundObject, ...] = ()
    code: str = ""
    http_status: int | None = None
    retry_after_s: float | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach one target. ``credentials`` are in the clear and never logged; repr hides them."""

    base_url: str
    declaration: Mapping[str, Any]
    credentials: Mapping[str, str] = field(default_factory=dict, repr=False)
    allow_inside: bool = False


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of a connection test."""

    name: str
    ok: bool
    code: str = ""
    detail: str = ""


class Connector(Protocol):
    """The verbs of a target. Every method may raise nothing but programming errors."""

    def perform(self, request: EffectRequest) -> Answer:
        """Send one request. The whole of it (DNS, connect, write, read) ends within ``deadline_s``."""

    def look_up(self, request: LookUpRequest) -> Look:
        """Look for the object of one action; reads only."""

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """The object of one ID with its ``content`` and ``version``, in whatever status; absent only when it is sure."""

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Delete one object for good where the target can: DONE, REFUSED or UNKNOWN.

        Only the probe calls it, for what it made a moment ago (R6: no result of a delivery is ever deleted).
        """

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Everything of one kind that the target holds, in every status; raises InventoryError if cut.

        ``changed_since``: only what was made or changed after it; raises ``cannot-list-changes`` where the target
        cannot tell. ``after``: go on behind the object with this ``place``; raises ``cannot-go-on`` likewise.
        """

    def check(self) -> list[CheckResult]:
        """Is the target there, do the credentials work; reads only."""

    def close(self) -> None:
        """Give back sockets."""


class InventoryError(Exception):
    """The inventory could not be read to its end; ``code`` says why."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
