"""A documented service after reading: what the rest of the connector works with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.http_json.paging import Paging
from once_delivery.targets.http_json.template import Text
from once_delivery.targets.jobs.objects import JobMap
from once_delivery.targets.jobs.rules import Rule


@dataclass(frozen=True, slots=True)
class Address:
    """Path, query and headers of a request, as templates."""

    path: Text
    query: Mapping[str, Text] = field(default_factory=dict)
    headers: Mapping[str, Text] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Submit:
    """The request that starts (and pays) a job. ``at_once``: the answer is the finished job."""

    address: Address
    body: Any
    job: JobMap
    rules: tuple[Rule, ...]
    at_once: bool


@dataclass(frozen=True, slots=True)
class Read:
    """One job by an ID of the service, or by ours; ``not_there``: how the service says that it has no such job."""

    address: Address
    job: JobMap
    not_there: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A field of a job that must be what we sent; one of ``pointers`` is enough, and with ``split`` a part of the value.

    Only what a service repeats as it was sent may be compared: what it fills in or rounds would make ours look like
    another's, and a second one would be paid. ``tells``: no other order is likely to have the same value.
    """

    pointers: tuple[JsonPointer, ...]
    value: Text
    tells: bool
    split: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """All jobs of the account, page by page; ``match`` looks at an item, ``detail_match`` at the job read by its ID."""

    address: Address
    items: JsonPointer
    job: JobMap
    paging: Paging
    newest_first: bool
    match: tuple[Match, ...]
    detail_match: tuple[Match, ...]

    @property
    def tells(self) -> bool:
        """Whether a job in it can be recognised by what was ordered, not by its time and model alone."""
        return any(one.tells for one in (*self.match, *self.detail_match))


@dataclass(frozen=True, slots=True)
class Service:
    """One documented service."""

    name: str
    title: str
    base_url: str
    evidence: Mapping[str, Any]
    auth: Mapping[str, Any]
    headers: Mapping[str, Text]
    submit: Submit
    read: Read | None
    result: Read | None
    by_marker: Read | None
    list: Listing | None
    window_s: float | None  # how long after its creation a job can be found
    call_job_id: JsonPointer | None  # where a call of the service names the job
