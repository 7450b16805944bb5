"""One's own account: where one is signed in, and what a password must be."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.contrib.auth.password_validation import password_validators_help_texts

from once_delivery.accounts.models import User, Visit
from once_delivery.accounts.services.visits import visits_of

# the first that is named counts: most browsers name others, too
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("MicroMessenger", "WeChat"),
    ("Firefox", "Firefox"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("Windows", "Windows"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)
_VERSION = r"[/ ](\d+)"


@dataclass(frozen=True, slots=True)
class VisitRow:
    """A browser that is signed in. ``name``: as people call it, or what it says of itself."""

    visit: Visit
    name: str
    here: bool


def visit_rows(user: User, session_key: str) -> list[VisitRow]:
    """The one that asks first, then the latest."""
    rows = [
        VisitRow(visit, browser_name(visit.browser), visit.session_key == session_key)
        for visit in visits_of(user)
    ]
    return sorted(rows, key=lambda row: not row.here)


def browser_name(said: str) -> str:
    """What a browser says of itself, short: ``Firefox 140 · Windows``."""
    parts = []
    for mark, name in _BROWSERS:
        if mark in said:
            version = re.search(re.escape(mark) + _VERSION, said)
            parts.append(f"{name} {version[1]}" if version else name)
            break
    parts += [name for mark, name in _SYSTEMS if mark in said][:1]
    return " · ".join(parts) or said[:60]


def password_rules() -> list[str]:
    """What a password must be, said beforehand."""
    return [str(text) for text in password_validators_help_texts()]
