"""A declaration after reading: what the rest of the connector works with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.base import Kind, Outcome
from once_delivery.targets.http_json.paging import Paging
from once_delivery.targets.http_json.template import Text
from once_delivery.targets.rest.objects import ObjectMap
from once_delivery.targets.rest.rules import Rule
from once_delivery.targets.rest.times import TimeFormat


@dataclass(frozen=True, slots=True)
class Address:
    """Path, query and headers of a request, as templates."""

    path: Text
    query: Mapping[str, Text]
    headers: Mapping[str, Text] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Effect:
    """A request that creates or updates."""

    method: str
    address: Address
    encoding: str
    body: Any
    file_field: str
    answer: ObjectMap
    client_chosen_id: bool
    overrides: Mapping[int, Outcome]
    rules: tuple[Rule, ...]  # the first that fits says what an answer means


@dataclass(frozen=True, slots=True)
class Remove:
    """The request that deletes one object for good; ``body`` None means none."""

    method: str
    address: Address
    body: Any
    overrides: Mapping[int, Outcome]
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """How to ask: a GET, or a POST with a body that only reads (GraphQL)."""

    address: Address
    method: str = "GET"
    body: Any = None


@dataclass(frozen=True, slots=True)
class Read:
    """One object by an ID; ``absent`` are the forms of "there is none" beside 404."""

    query: Query
    answer: ObjectMap
    not_found_is_absent: bool
    absent: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Since:
    """How a list is asked for what was made or changed after a moment.

    A name in ``parameters`` that begins with "/" is a pointer into the body.
    """

    parameters: Mapping[str, Text]
    format: TimeFormat


@dataclass(frozen=True, slots=True)
class After:
    """How a list is asked to go on behind an object: only for lists in an order that no change of an object moves."""

    place: JsonPointer  # in an item
    parameters: Mapping[str, Text]


@dataclass(frozen=True, slots=True)
class Listing:
    """Objects by a query, page by page; once for each status where there are several to ask for."""

    query: Query
    items: JsonPointer
    answer: ObjectMap
    statuses: tuple[str, ...]
    every_status: bool
    paging: Paging
    match: tuple[tuple[JsonPointer, Text], ...] = ()
    since: Since | None = None
    after: After | None = None


@dataclass(frozen=True, slots=True)
class KindSpec:
    """What can be done with one kind of object."""

    create: Effect
    update: Effect | None
    remove: Remove | None
    read: Read | None
    read_by_client_id: Read | None
    look_up: Listing | None
    candidates: Listing | None
    list: Listing | None


@dataclass(frozen=True, slots=True)
class Check:
    """What to ask to see that the target is there and knows us; no ``statuses`` means any 2xx."""

    query: Query
    statuses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Declaration:
    """One API."""

    kinds: Mapping[Kind, KindSpec]
    headers: Mapping[str, Text]
    idempotency_header: str
    body_cap: int
    html_errors: bool
    auth: Mapping[str, Any]
    check: Check | None
    read_errors: tuple[Rule, ...]  # answers to reads that look well and are not
