"""The language of whoever runs a command: as asked, as the terminal says, else the installation's."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings

LANGUAGES = ("en", "zh-hans")


def terminal_language(asked: str | None, environment: Mapping[str, str]) -> str:
    """“en” or “zh-hans”."""
    if asked:
        return asked
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environment.get(name, "").lower()
        if value.startswith("zh"):
            return "zh-hans"
        if value.startswith("en"):
            return "en"
    return settings.LANGUAGE_CODE
