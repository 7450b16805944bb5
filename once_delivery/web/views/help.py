"""The help inside: one topic a screen, in the reader's language."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.help_topics import BASICS, BY_KEY, LANGUAGES, SCREENS
from once_delivery.web.page_keys import PAGES


@require_safe
@signed_in
def contents(request: MemberRequest) -> HttpResponse:
    """All topics."""
    return render(request, "web/help.html", {"basics": BASICS, "screens": SCREENS})


@require_safe
@signed_in
def topic(request: MemberRequest, key: str) -> HttpResponse:
    """One topic, and the way to the others."""
    found = BY_KEY.get(key)
    if found is None:
        raise Http404
    language = get_language() or LANGUAGES[0]
    written = language if language in LANGUAGES else LANGUAGES[0]
    page: dict[str, object] = {
        "topic": found,
        "text": f"help/{written}/{found.key}.html",
        "basics": BASICS,
        "screens": SCREENS,
    }
    if found.key == "keys":
        page["pages"] = PAGES
    return render(request, "web/help_topic.html", page)
