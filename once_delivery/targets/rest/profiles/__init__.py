"""Declarations and profiles that are ready to use, with one variant a guard."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from once_delivery.common.errors import DomainError

_FOLDER = Path(__file__).parent


class NoReadyProfileError(DomainError):
    """There is no such file, or no such variant in it."""

    code = "no-ready-profile"
    template = _("There is no ready profile %(name)s for the guard %(guard)s.")


@dataclass(frozen=True, slots=True)
class ReadyProfile:
    """What a target's row needs; credentials are named in ``credentials`` and given by the operator."""

    declaration: dict[str, Any]
    profile: dict[str, Any]
    credentials: tuple[str, ...]


def ready_profile(name: str, guard: str) -> ReadyProfile:
    """The variant of ``profiles/<name>.json`` for ``guard``; raises NoReadyProfileError."""
    try:
        data = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        variant = data["variants"][str(guard)]
    except (OSError, KeyError):
        raise NoReadyProfileError(name=name, guard=guard) from None
    return ReadyProfile(
        declaration=_patched(data["declaration"], variant.get("declaration", {})),
        profile=_patched(data["profile"], variant.get("profile", {})),
        credentials=tuple(data.get("credentials", ())),
    )


def _patched(base: Any, patch: Any) -> Any:
    """JSON Merge Patch (RFC 7396): null takes away."""
    if not isinstance(patch, Mapping):
        return copy.deepcopy(patch)
    merged = dict(copy.deepcopy(base)) if isinstance(base, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = _patched(merged.get(key), value)
    return merged
