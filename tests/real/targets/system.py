"""What the contract asks of a real system, beyond its connector: the system's own truth, and people at work in it."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from once_delivery.targets.base import Connection, Kind
from once_delivery.targets.profile import Guard


class Account(enum.StrEnum):
    """Who asks."""

    DELIVERY = "delivery"  # what a target is set up with: makes drafts, cannot publish
    BLIND = "blind"  # known to the system, may not see the drafts of others
    NOBODY = "nobody"  # with a credential that is not valid any more


@dataclass(frozen=True, slots=True)
class Held:
    """One object, as the system's own storage has it."""

    result_id: str
    title: str
    live: bool


class RealSystem(Protocol):
    """One running system with one way of being set up."""

    kind: str  # in the registry
    guard: Guard
    kinds: tuple[Kind, ...]
    marker_survives_rename: bool
    has_trash: bool
    sees_its_limits: bool  # an account without rights is told so, or can find out

    def connection(self, *, base_url: str = "", account: Account = Account.DELIVERY) -> Connection:
        """How the connector reaches it; ``base_url`` for a way through a proxy."""

    def payload(self, kind: Kind, title: str) -> dict[str, Any]:
        """Content of a draft or an upload."""

    def held(self, kind: Kind, marker: str) -> list[Held]:
        """Everything that carries ``marker``, read from the storage and not through the connector."""

    def rename(self, result_id: str) -> None:
        """An editor gives a draft another slug."""

    def edit(self, result_id: str, title: str) -> None:
        """An editor gives a draft another title, and leaves the marker as it is."""

    def trash(self, kind: Kind, result_id: str) -> None:
        """Somebody puts it into the trash; only where ``has_trash``."""

    def delete(self, kind: Kind, result_id: str) -> None:
        """Somebody deletes it for good."""

    def make_by_hand(self, title: str) -> str:
        """An editor makes an object of the kind that drafts have; its ID."""

    def publish_as_delivery(self, result_id: str) -> bool:
        """Whether the account of deliveries, doing its worst, makes the draft public."""

    def publishing_payload(self) -> Mapping[str, Any]:
        """Content that would publish if the connector let it through."""

    def paused(self) -> contextlib.AbstractContextManager[None]:
        """It takes connections and answers nothing."""
