"""The documents of the administrator's API, as types for its callers."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

Kind = Literal["drafts", "uploads", "jobs"]


class Space(TypedDict):
    """A space as the administrator sees it."""

    space: str
    token: str
    settings: dict[str, Any]
    created_at: str


class SpaceSummary(Space):
    """A space with its counts."""

    objects: dict[str, int]
    create_calls: int


class TrueObject(TypedDict):
    """One line of the inventory."""

    id: str
    kind: Kind
    marker: str | None
    title: str | None
    locale: str | None
    product: str | None
    status: str
    version: int
    created_at: str
    updated_at: str
    content_sha256: str
    deleted_at: str | None
    made_by: Literal["api", "hand"]


class Inventory(TypedDict):
    """What a space really holds (trash included), and what was deleted from it."""

    space: str
    counted_at: str
    objects: list[TrueObject]
    deletions: list[TrueObject]


class LoggedCall(TypedDict):
    """One request that reached the content API. ``status`` is None when nothing was answered."""

    seq: int
    space: str
    started_at: str
    ended_at: str | None
    method: str
    path: str
    operation: Literal["create", "lookup", "update", "remove", "other"]
    kind: str | None
    marker: str | None
    idempotency_key: str | None
    body_sha256: str | None
    body_bytes: int
    user_agent: str | None
    fault: str | None
    variant: str | None
    committed_id: str | None
    created: bool
    replayed: bool
    status: int | None


class ArmedFault(TypedDict):
    """A fault with its number and how often it has struck."""

    id: int
    kind: str
    match: dict[str, Any]
    times: int
    seconds: float
    variant: str | None
    status: int | None
    fired: int
