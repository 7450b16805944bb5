"""How decisions and states of review look."""

from __future__ import annotations

from django import template

from once_delivery.review.models import Review, ReviewState
from once_delivery.ui.templatetags.ui import person
from once_delivery.web.field_words import field_word
from once_delivery.web.review_looks import VERDICT_LOOKS

register = template.Library()
_UNKNOWN = ("planned", "review")


@register.filter
def review_tone(code: str) -> str:
    """The colour of a verdict or a state of review: the name of a state's."""
    return VERDICT_LOOKS.get(code, _UNKNOWN)[0]


@register.filter
def review_icon(code: str) -> str:
    """Its icon."""
    return VERDICT_LOOKS.get(code, _UNKNOWN)[1]


@register.filter
def review_word(code: str) -> str:
    """The word of a state of review."""
    return str(ReviewState(code).label) if code in ReviewState.values else code


@register.filter
def field_name(name: str) -> str:
    """The word of a draft's or a brief's field."""
    return field_word(name)


@register.filter
def reviewer(review: Review) -> str:
    """Who decided: a member, or for whom the link was made."""
    if review.user is not None:
        return person(review.user)
    return review.link.approver if review.link else ""
