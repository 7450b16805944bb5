"""Words and numbers of the reconciliation pages."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils import timezone

from once_delivery.web.case_wording import decision_word

register = template.Library()


@register.filter
def stopwatch(seconds: int) -> str:
    """6:12, or 1:06:12 from an hour on."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def moment_field(value: datetime) -> str:
    """A moment as a field of a form has it, in the person's zone."""
    return f"{timezone.localtime(value):%Y-%m-%dT%H:%M}"


@register.filter
def decision_words(code: str) -> str:
    """The name of a decision."""
    return decision_word(code)
