"""Words and numbers of the reconciliation pages."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils import timezone

from once_delivery.review.reading import is_image
from once_delivery.web.case_wording import decision_word
from once_delivery.web.selectors.image_claims import candidate_claim
from reconciliation.models import Case

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


@register.simple_tag
def candidate_image(case: Case, address: str) -> str:
    """Where this house shows what a target has at ``address``; "" where that is no image."""
    if not is_image(address):
        return ""
    query = urlencode({"of": candidate_claim(case.pk, address)})
    return f"{reverse('web:case-image', args=[case.uuid])}?{query}"


@register.filter
def decision_words(code: str) -> str:
    """The name of a decision."""
    return decision_word(code)
