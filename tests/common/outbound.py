from __future__ import annotations

from once_delivery.common.http import HttpRequest


def post(url: str, body: bytes = b"{}", deadline_s: float = 3.0, body_cap: int = 100_000) -> HttpRequest:
    """A request with an effect."""
    return HttpRequest("POST", url, deadline_s, {"Content-Type": "application/json"}, body, body_cap)
