"""How a browser asks: for a page that it will show, or for something behind one."""

from __future__ import annotations

from django.http import HttpRequest


def by_navigation(request: HttpRequest) -> bool:
    """Whether a browser says that it shows the answer as a page. Tells nothing of who asks."""
    said = request.headers.get("Sec-Fetch-Mode")
    if said is None:  # browsers say it over TLS and to this machine only
        return request.headers.get("Upgrade-Insecure-Requests") == "1"
    return said == "navigate"
