"""Light or dark: the system's choice, or the person's, kept in a cookie so that the first paint is right."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

COOKIE = "theme"
FIXED = ("light", "dark")
YEAR_S = 365 * 24 * 3600


def theme_of(request: HttpRequest) -> str:
    """``light``, ``dark``, or nothing when the system decides."""
    chosen = request.COOKIES.get(COOKIE, "")
    return chosen if chosen in FIXED else ""


def keep_theme(response: HttpResponse, theme: str, *, secure: bool) -> None:
    """Afterwards the browser asks for ``theme``; anything but light and dark means the system's."""
    if theme in FIXED:
        response.set_cookie(COOKIE, theme, max_age=YEAR_S, samesite="Lax", secure=secure, httponly=True)
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
