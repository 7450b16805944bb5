"""What is asked for: deliveries as plain data, whoever asks (a file, the API, a screen)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from once_delivery.ledger.models import Action, Batch
from once_delivery.targets.base import FileBytes, Kind


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """One effect wanted at one target; ``slot`` tells several of a kind apart and is what others refer to."""

    target: str  # name of a target of the project
    kind: Kind
    slot: str
    payload: Mapping[
        str, Any
    ]  # may hold {"$result": slot}; an upload has {"file": {"sha256", "name", "media_type"}}
    by_permit: bool = False  # performed by whoever asks for a permit, never by the house


@dataclass(frozen=True, slots=True)
class DeliveryRequest:
    """One task: identity, the approved brief behind it, and its actions. ``row`` is where it was read."""

    product: str
    locale: str
    purpose: str
    input_version: int
    actions: tuple[ActionRequest, ...]
    product_name: str = ""
    brief: Mapping[str, Any] | None = None  # None: the version must exist already
    approved_by: str = ""
    approved_at: datetime | None = None
    row: int | None = None


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """Deliveries that are asked for together."""

    name: str
    deliveries: tuple[DeliveryRequest, ...]
    files: Mapping[str, FileBytes] = field(default_factory=dict)  # by sha256
    source_name: str = ""
    source_sha256: str = ""


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What asking did. ``suppressed`` requests named a task that existed: nothing new was made for them."""

    batch: Batch
    tasks_new: int
    actions_new: int
    suppressed: int
    superseded: int
    versions_new: int
    products_new: int
    task_ids: tuple[int, ...] = ()  # in the order of the deliveries
    made: tuple[Action, ...] = ()
