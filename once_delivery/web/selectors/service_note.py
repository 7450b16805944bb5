"""What whoever decides about a generation job must know of its service: on what it was proven, what a second try costs."""

from __future__ import annotations

from dataclasses import dataclass

from once_delivery.common.errors import InvalidInputError
from once_delivery.targets.jobs.declaration import Price, read_declaration
from once_delivery.targets.models import Target


@dataclass(frozen=True, slots=True)
class ServiceNote:
    """``simulated``: declared from documentation and run against a simulator alone. ``price`` None: not declared."""

    title: str
    read_on: str
    simulated: bool
    price: Price | None


def service_note_of(target: Target) -> ServiceNote | None:
    """None for every other kind of target, and for settings that cannot be read."""
    if target.kind != "jobs":
        return None
    try:
        declaration = read_declaration(target.declaration)
    except InvalidInputError:
        return None
    evidence = declaration.service.evidence
    return ServiceNote(
        title=declaration.service.title,
        read_on=evidence["read_on"],
        simulated=evidence["proven"] == "simulator",
        price=declaration.price,
    )
