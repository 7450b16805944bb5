"""The base URL that a vendor puts in place of its CMS's address."""

from __future__ import annotations

from once_delivery.vendor_drill.running_here import proxy_url


def base_url_of(secret: str) -> str:
    """Without a slash at the end, as the target's own address is written."""
    return f"{proxy_url()}/{secret}"
