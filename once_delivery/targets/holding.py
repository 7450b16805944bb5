"""Who works at a target may keep it as it is meanwhile: what stands above the targets says so here."""

from __future__ import annotations

from collections.abc import Callable

from once_delivery.targets.models import Target

Refusal = Callable[[Target], None]
_refusals: list[Refusal] = []


def keep_while(refusal: Refusal) -> None:
    """``refusal`` is asked before a target leads elsewhere, with its row locked; it raises a DomainError."""
    if refusal not in _refusals:
        _refusals.append(refusal)


def refuse_held(target: Target) -> None:
    """Raises the DomainError of who works at ``target``; to be asked with its row locked."""
    for refusal in _refusals:
        refusal(target)
