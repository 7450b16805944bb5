"""A declaration after reading: what the rest of the connector works with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.base import Kind, Outcome
from once_delivery.targets.http_json.paging import Paging
from once_delivery.targets.http_json.template import Text
from once_delivery.targets.rest.exists import ExistsRule
from once_delivery.targets.rest.objects import ObjectMap


@dataclass(frozen=True, slots=True)
class Address:
    """Path, query and headers of a request, as templates."""

    path: Text
    query: Mapping[str, Text]
    headers: Mapping[str, Text] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Create:
    """The request that has an effect."""

    method: str
    address: Address
    encoding: str
    body: Any
    file_field: str
    answer: ObjectMap
    client_chosen_id: bool
    overrides: Mapping[int, Outcome]
    exists: tuple[ExistsRule, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """One object by an ID."""

    address: Address
    answer: ObjectMap
    not_found_is_absent: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """Objects by a query, page by page; once for each status where there are several to ask for."""

    address: Address
    items: JsonPointer
    answer: ObjectMap
    statuses: tuple[str, ...]
    every_status: bool
    paging: Paging
    match: tuple[tuple[JsonPointer, Text], ...] = ()


@dataclass(frozen=True, slots=True)
class KindSpec:
    """What can be done with one kind of object."""

    create: Create
    read: Read | None
    read_by_client_id: Read | None
    look_up: Listing | None
    candidates: Listing | None
    list: Listing | None


@dataclass(frozen=True, slots=True)
class Check:
    """What to ask to see that the target is there and knows us; no ``statuses`` means any 2xx."""

    address: Address
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
