"""How much one probe does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from once_delivery.targets.base import Kind


@dataclass(frozen=True, slots=True)
class Extent:
    """Counts and seconds. ``more`` is content that the target needs besides a title and a text."""

    kind: Kind = Kind.CREATE_DRAFT
    more: Mapping[str, Any] = field(default_factory=dict)
    at_once: int = 8
    rounds: int = 3
    looks: int = 5
    wait_s: float = (
        5.0  # for a key's window, for what an index does not show yet, for a request that lands late
    )
    inventory_s: float = 60.0  # the target's whole list may be long
