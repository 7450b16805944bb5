"""Where browsers ask for the icon of a page that names none: files, the API, Django's admin."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe


@require_safe
@cache_control(public=True, max_age=86_400)
def favicon(request: HttpRequest) -> HttpResponse:
    """The one that the house's pages name."""
    return redirect(static("ui/mark.svg"))
