"""Why the default profile of a kind has its numbers, wherever its files keep the sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from once_delivery.common.errors import DomainError
from once_delivery.targets.jobs.profiles import profile_of
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.rest.profiles import outline


def reasons_of(kind: str, declaration: Mapping[str, Any], guard: str) -> Mapping[str, Any]:
    """A sentence for each number; none for kinds that are declared by hand."""
    ready, service = declaration.get("ready"), declaration.get("service")
    try:
        if kind == "rest":
            return outline(str(ready)).why if ready else {}
        if kind == "jobs":
            return profile_of(str(service), called="hook_base_url" in declaration).why
        found = default_profiles(kind).get(Guard(guard))
    except (DomainError, ValueError):
        return {}
    return found.why if found else {}
