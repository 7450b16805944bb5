"""A moment as an API wants it. What is cut off makes it earlier, never later: nothing that changed is missed."""

from __future__ import annotations

import enum
from datetime import UTC, datetime


class TimeFormat(enum.StrEnum):
    """The ways that can be declared."""

    ISO = "iso"  # 2026-11-29T09:40:00.123456Z
    ISO_MS = "iso_ms"  # 2026-11-29T09:40:00.123Z
    ISO_S = "iso_s"  # 2026-11-29T09:40:00Z
    UNIX = "unix"  # whole seconds
    UNIX_MS = "unix_ms"

    def text(self, moment: datetime) -> str:
        """``moment`` in this form; one without a zone is UTC."""
        at = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        match self:
            case TimeFormat.UNIX:
                return str(int(at.replace(microsecond=0).timestamp()))
            case TimeFormat.UNIX_MS:
                return str(int(at.replace(microsecond=0).timestamp()) * 1000 + at.microsecond // 1000)
            case _:
                parts = {TimeFormat.ISO: "microseconds", TimeFormat.ISO_MS: "milliseconds"}
                return at.isoformat(timespec=parts.get(self, "seconds")).replace("+00:00", "Z")
