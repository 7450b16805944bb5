"""One thing that a search found."""

from __future__ import annotations

from dataclasses import dataclass

from once_delivery.ledger.models import Task

MOST = 8  # of a group


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that was found. ``exact``: what was asked for is exactly this."""

    url: str
    name: str
    about: str
    project: str
    state: str = ""
    exact: bool = False
    is_id: bool = False


def identity_of(task: Task) -> str:
    """A task in one line."""
    return f"{task.product.name or task.product.code} › {task.locale} › {task.purpose}"
