"""The names of a draft's and a brief's fields in the reader's language; others stand as whoever wrote them calls them."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import pgettext_lazy

FIELDS: dict[str, Promise] = {
    "title": pgettext_lazy("draft", "title"),
    "body": pgettext_lazy("draft", "text"),
    "text": pgettext_lazy("draft", "text"),
    "content": pgettext_lazy("draft", "text"),
    "excerpt": pgettext_lazy("draft", "excerpt"),
    "summary": pgettext_lazy("draft", "summary"),
    "description": pgettext_lazy("draft", "description"),
    "slug": pgettext_lazy("draft", "address part"),
    "locale": pgettext_lazy("draft", "locale"),
    "language": pgettext_lazy("draft", "language"),
    "product": pgettext_lazy("draft", "product"),
    "purpose": pgettext_lazy("draft", "purpose"),
    "headline": pgettext_lazy("draft", "headline"),
    "subtitle": pgettext_lazy("draft", "subtitle"),
    "image": pgettext_lazy("draft", "image"),
    "image_alt": pgettext_lazy("draft", "words for the image"),
    "alt": pgettext_lazy("draft", "words for the image"),
    "keywords": pgettext_lazy("draft", "keywords"),
    "tags": pgettext_lazy("draft", "tags"),
    "tone": pgettext_lazy("draft", "tone"),
    "audience": pgettext_lazy("draft", "audience"),
    "points": pgettext_lazy("draft", "points"),
    "selling_points": pgettext_lazy("draft", "selling points"),
    "status": pgettext_lazy("draft", "status"),
    "author": pgettext_lazy("draft", "author"),
    "notes": pgettext_lazy("draft", "notes"),
    "brief": pgettext_lazy("draft", "brief"),
}


def field_word(name: str) -> str:
    """The word, or the name itself marked as nothing to translate."""
    word = FIELDS.get(name)
    return str(word) if word is not None else format_html('<span translate="no">{}</span>', name)
