"""What ``make run`` has started on this machine, for commands in another terminal: it says so in the state folder."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from django.conf import settings


def sandbox_url() -> str:
    """The sandbox that runs beside this house, "" when none does."""
    return os.environ.get("ONCE_SANDBOX_URL", "") or str(_house().get("sandbox_url", ""))


def sandbox_token() -> str:
    """Its administrator's token."""
    given = os.environ.get("ONCE_SANDBOX_ADMIN_TOKEN", "")
    if given:
        return given
    with contextlib.suppress(OSError):
        return (Path(settings.STATE_DIR) / "sandbox-token").read_text(encoding="utf-8").strip()
    return ""


def proxy_url() -> str:
    """Where vendors reach the proxy; a setting goes before what runs here."""
    if {"ONCE_DRILL_PROXY_URL", "ONCE_DRILL_PROXY_PORT"} & os.environ.keys():
        return str(settings.DRILL_PROXY_URL)
    return str(_house().get("drill_proxy_url", "") or settings.DRILL_PROXY_URL)


def _house() -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        found = json.loads((Path(settings.STATE_DIR) / "house.json").read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    return {}
