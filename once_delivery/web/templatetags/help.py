"""The way from a page to what explains it."""

from __future__ import annotations

from typing import Any

from django import template
from django.http import HttpRequest
from django.template import Context
from django.urls import reverse

from once_delivery.web.help_topics import BY_KEY, HELP, topic_of

register = template.Library()


@register.inclusion_tag("ui/help.html", takes_context=True)
def help_link(context: Context, key: str = "") -> dict[str, Any]:
    """A link to the topic ``key``, or to the one of the page's address; to all topics where there is none."""
    request = context.get("request")
    match = request.resolver_match if isinstance(request, HttpRequest) else None
    name = match.view_name if match else ""
    if name in HELP:
        return {"address": ""}
    topic = BY_KEY[key] if key else topic_of(name)
    address = reverse("web:help-topic", args=[topic.key]) if topic else reverse("web:help")
    return {"address": address, "topic": topic}
