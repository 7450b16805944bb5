"""A request to a door and its reply, as data."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from once_delivery.sandbox.generation.world import Job, World


@dataclass(frozen=True)
class Asked:
    """One request, read whole."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    base_url: str

    @property
    def document(self) -> dict[str, Any]:
        """The JSON object of the body; empty when it is none."""
        try:
            found = json.loads(self.body or b"{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def parts(self) -> tuple[str, ...]:
        """The segments of the path."""
        return tuple(unquote(part) for part in self.path.split("/") if part)


@dataclass(frozen=True)
class Reply:
    """A status with a JSON document."""

    status: int
    document: Any
    headers: dict[str, str] = field(default_factory=dict)


class Door(Protocol):
    """One service."""

    world: World

    def is_submit(self, asked: Asked) -> bool:
        """Whether this request starts a job."""

    def answer(self, asked: Asked) -> Reply:
        """Do what is asked."""

    def busy(self) -> Reply:
        """The service's 429."""

    def call(self, job: Job) -> dict[str, Any]:
        """What it posts to the job's address when the job has ended."""


def parse_target(target: str) -> tuple[str, dict[str, str]]:
    """Path and query."""
    parts = urlsplit(target)
    return parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}


def page_of(jobs: list[Job], asked: Asked, *, number: str, size: str, default: int) -> tuple[list[Job], int]:
    """The page that was asked for, and how many pages there are."""
    each = max(1, int(asked.query.get(size, default)))
    page = max(1, int(asked.query.get(number, 1)))
    return jobs[(page - 1) * each : page * each], -(-len(jobs) // each)
