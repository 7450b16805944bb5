"""Template tags of the drill's report."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from once_delivery.drill.report import stylesheet

register = template.Library()


@register.simple_tag
def report_style() -> SafeString:
    """The style sheet inside the file, since a file that is sent by mail has no server (never on a served page)."""
    return format_html("<style>{}</style>", mark_safe(stylesheet()))  # noqa: S308 - our own style sheet
