"""The one kind of error that a caller is meant to see."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """Answered as ``{"error": {"code", "message", …}}`` with ``status``."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        headers: tuple[tuple[str, str], ...] = (),
        **more: Any,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers
        self.more = more

    def body(self) -> dict[str, Any]:
        """The JSON document of this error."""
        return {"error": {"code": self.code, "message": self.message, **self.more}}
