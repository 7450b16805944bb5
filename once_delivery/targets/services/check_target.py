"""The connection test of a stored target."""

from __future__ import annotations

from typing import Any

from once_delivery.common.redact import storable
from once_delivery.targets.connecting import connected
from once_delivery.targets.models import Target


def check_target(*, target: Target) -> list[dict[str, Any]]:
    """``{name, ok, code, detail}`` of each line. Reads only. Raises DomainError when the settings are not usable."""
    with connected(target) as connector:
        return [
            {
                "name": one.name[:60],
                "ok": one.ok,
                "code": one.code[:60],
                "detail": storable(one.detail)[:300],
            }
            for one in connector.check()
        ]
