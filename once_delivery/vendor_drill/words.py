"""Texts as a reader takes them: without what a CMS changes when it shows them (quotes, dashes, ``&#8220;``). Pure."""

from __future__ import annotations

import html
import re

_WORD = re.compile(r"[^\W_]+")


def spoken(text: str) -> str:
    """The words alone, each between spaces; "" when there are none."""
    words = _WORD.findall(html.unescape(text).casefold())
    return f" {' '.join(words)} " if words else ""


def reading(text: str) -> str:
    """The same for two texts that are one to a reader; signs count where there is nothing else."""
    return spoken(text) or text.strip()
