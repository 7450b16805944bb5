"""Questions in Ghost's filter language (NQL)."""

from __future__ import annotations

from datetime import UTC, datetime

# named in every question: Ghost leaves its own list of statuses out when it reads "status:" anywhere, in a title too
EVERY_STATUS = "status:[draft,published,scheduled,sent]"


def in_every_status(*conditions: str) -> str:
    """All of the conditions that are given, and no status left out."""
    return "+".join([*(f"({one})" for one in conditions if one), EVERY_STATUS])


def behind(result_id: str) -> str:
    """Posts with a higher ID; "" for all of them. IDs grow with time."""
    return f"id:>{text(result_id)}" if result_id else ""


def changed_since(when: datetime) -> str:
    """Posts made or changed in this second or later: Ghost counts whole seconds."""
    return f"updated_at:>={text(when.astimezone(UTC).strftime('%Y-%m-%d %H:%M:%S'))}"


def text(value: str) -> str:
    """A text as the language writes it. Quotes are escaped; a backslash cannot be said before one, nor at the end."""
    escaped = value.replace("'", "\\'").replace('"', '\\"')
    return f"'{escaped}'"


def carrying(marker: str) -> str:
    """Posts with the marker in their canonical address, or in a slug with whatever suffix Ghost gave it.

    The address is compared in part: Ghost stores its own site as ``__GHOST_URL__`` and finds nothing under the whole one.
    """
    return f"canonical_url:~{text('/' + marker)},slug:~^{text(marker)}"


def titled(title: str) -> str:
    """Posts whose title begins as this one; "" where that cannot be asked."""
    # Ghost trims titles, and its language has no backslash
    beginning = title.strip().partition("\\")[0][:100]
    return f"title:~^{text(beginning)}" if beginning.strip() else ""
