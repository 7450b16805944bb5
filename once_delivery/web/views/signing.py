"""Signing in and out."""

from __future__ import annotations

from typing import Any

from axes.helpers import get_cool_off
from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from once_delivery.accounts.models import User
from once_delivery.accounts.services.visits import begin_visit
from once_delivery.ui.doors import note_confirmed
from once_delivery.ui.goals import safe_goal
from once_delivery.web.views.preferences import keep_language

NAME_LONGEST = 150
WRONG, TOO_OFTEN = 422, 429


class SignInForm(AuthenticationForm):
    """Names that nobody can have are wrong, before anything counts or stores them."""

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username") or ""
        if len(name) > NAME_LONGEST:
            raise self.get_invalid_login_error()
        return super().clean()


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for name and password; too many wrong ones and it stays shut for a while."""
    goal = safe_goal(request, otherwise=settings.LOGIN_REDIRECT_URL)
    if request.user.is_authenticated:
        return redirect(goal)
    form = SignInForm(request, data=request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = form.get_user()
        login(request, user)
        note_confirmed(request)
        begin_visit(user=user, session=request.session, browser=request.headers.get("User-Agent", ""))
        response = HttpResponseRedirect(goal)
        if isinstance(user, User) and user.language:
            keep_language(response, user.language)
        return response
    locked = _locked_minutes(request)
    page = {"form": form, "next": goal, "locked": locked}
    status = TOO_OFTEN if locked else WRONG if form.errors else 200
    return render(request, "web/sign_in.html", page, status=status)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    goal = safe_goal(request, otherwise=settings.LOGIN_URL)
    logout(request)
    return redirect(goal)


def _locked_minutes(request: HttpRequest) -> int:
    """How long the door stays shut, 0 when it is open. The page says it itself, in the reader's language."""
    if not getattr(request, "axes_locked_out", False):
        return 0
    # said here; the middleware of django-axes would replace the page by a bare sentence
    request.axes_locked_out = False  # type: ignore[attr-defined]
    cool_off = get_cool_off(request)
    return max(1, int(cool_off.total_seconds() // 60)) if cool_off else 60
