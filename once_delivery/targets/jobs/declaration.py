"""What an operator declares of a generation service: which one, where it may call us, what a second try costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from once_delivery.targets import schema
from once_delivery.targets.jobs.services import service
from once_delivery.targets.jobs.spec import Service

_SKEW_S = 60.0  # how far the service's clock may be from ours


@dataclass(frozen=True, slots=True)
class Price:
    """What one more job costs, as the operator declares it; ``source`` says where that stands."""

    amount: str
    currency: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Declaration:
    """``sole_user``: nobody else orders with this account, so that an unclaimed job in it is ours."""

    service: Service
    hook_base_url: str
    sole_user: bool
    skew: timedelta
    price: Price | None


def read_declaration(data: Mapping[str, Any]) -> Declaration:
    """Raises InvalidInputError with a pointer to each field that does not fit ``schemas/jobs.json``."""
    schema.validate(data, "jobs")
    return Declaration(
        service=service(data["service"]),
        hook_base_url=data.get("hook_base_url", "").rstrip("/"),
        sole_user=data.get("sole_user", False),
        skew=timedelta(seconds=data.get("clock_skew_s", _SKEW_S)),
        price=price_of(data),
    )


def price_of(declaration: Mapping[str, Any]) -> Price | None:
    """What a second try costs, for a page that asks a person; None when the operator has not said it."""
    price = declaration.get("price")
    if not isinstance(price, Mapping):
        return None
    return Price(price["amount"], price["currency"], price.get("source", ""))
