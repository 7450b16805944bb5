"""HTML by filling templates: every value is escaped unless it was made here."""

from __future__ import annotations

import html
from collections.abc import Iterable


class Safe(str):
    """Markup that was made by :func:`fill` and needs no escaping."""

    __slots__ = ()


def fill(template: str, **values: object) -> Safe:
    """The template with each ``{name}`` replaced by its escaped value."""
    return Safe(template.format(**{name: _escaped(value) for name, value in values.items()}))


def join(parts: Iterable[Safe], *, between: str = "") -> Safe:
    """Several pieces as one; ``between`` is escaped."""
    return Safe(html.escape(between).join(parts))


def _escaped(value: object) -> str:
    return value if isinstance(value, Safe) else html.escape("" if value is None else str(value))
