"""What is written: one template an event, its first line the subject."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


def written(event: str, data: Mapping[str, Any], *, language: str = "") -> tuple[str, str]:
    """Subject and text of ``event`` in ``language`` (the house's own when it is not known)."""
    spoken = language if language in LANGUAGES else settings.LANGUAGE_CODE
    with translation.override(spoken):
        whole = render_to_string(f"notices/{event}.txt", {**data, "site": settings.SITE_URL}).strip()
    subject, _, text = whole.partition("\n")
    return subject.strip()[:300], text.strip() + "\n"
