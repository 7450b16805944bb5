"""How a person wants to see the house: language, light or dark."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST

from once_delivery.accounts.models import User
from once_delivery.ui.goals import came_from, safe_goal, shows_answer
from once_delivery.ui.theme import keep_theme

YEAR_S = 365 * 24 * 3600
LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Keep the language, in the browser and with the person."""
    chosen = request.POST.get("language", "")
    response = _back(request)
    if chosen in LANGUAGES:
        keep_language(response, chosen)
        if isinstance(request.user, User):
            User.objects.filter(pk=request.user.pk).update(language=chosen)
    return response


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep light or dark in the browser."""
    response = _back(request)
    keep_theme(response, request.POST.get("theme", ""), secure=request.is_secure())
    return response


def keep_language(response: HttpResponse, code: str) -> None:
    """Afterwards the browser asks for this language."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=YEAR_S,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _back(request: HttpRequest) -> HttpResponseRedirect:
    sender = came_from(request)
    # a kept page does not know the address at which it is shown
    return HttpResponseRedirect(sender if shows_answer(sender) else safe_goal(request, otherwise="web:home"))
