"""How decisions and states of review look: colour and icon beside their word."""

from __future__ import annotations

VERDICT_LOOKS: dict[str, tuple[str, str]] = {
    "accepted": ("confirmed", "check"),
    "changes": ("uncertain", "flag"),
    "rejected": ("refused", "x"),
    "withdrawn": ("cancelled", "undo"),
    "waits": ("planned", "review"),
    "changed": ("uncertain", "refresh"),
}
