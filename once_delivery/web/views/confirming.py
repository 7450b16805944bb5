"""Showing who one is: the second factor at sign-in, setting it up, and once more before something risky."""

from __future__ import annotations

import django_otp
from django.contrib.auth import authenticate
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from once_delivery.accounts.services.second_factor import (
    Missing,
    WrongCodeError,
    begin_setup,
    check_code,
    finish_setup,
    has_second_factor,
    missing_factor,
    setup_in_progress,
)
from once_delivery.ui.doors import (
    MemberRequest,
    ask_to_confirm,
    half_signed_in,
    is_fresh,
    is_verified,
    note_confirmed,
    signed_in,
)
from once_delivery.ui.goals import safe_goal

WRONG = 422


@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
@half_signed_in
def second_factor(request: MemberRequest) -> HttpResponse:
    """Ask for a code of the app, or one on paper."""
    goal = safe_goal(request, otherwise="web:home")
    if is_verified(request.user) or not has_second_factor(request.user):
        return redirect(goal)
    error = None
    if request.method == "POST":
        try:
            device = check_code(user=request.user, code=request.POST.get("code", ""))
        except WrongCodeError as wrong:
            error = wrong
        else:
            django_otp.login(request, device)
            note_confirmed(request)
            return redirect(goal)
    page = {"next": goal, "error": error}
    return render(request, "web/second_factor.html", page, status=WRONG if error else 200)


@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
@half_signed_in
def set_up(request: MemberRequest) -> HttpResponse:
    """Bring a secret into an authenticator app; it counts when a code of it was shown.

    Where a second factor is in use already, it must have been shown before another takes its place; and the password
    lately, or whoever finds an open browser could shut its owner out.
    """
    goal = safe_goal(request, otherwise="web:home")
    if has_second_factor(request.user) and not is_verified(request.user):
        return redirect("web:second-factor")
    # who was sent here by a project has no factor yet, and could not be let in to confirm either
    if missing_factor(request.user) != Missing.SET_UP and not is_fresh(request):
        return ask_to_confirm(request)
    error = None
    if request.method == "POST":
        try:
            device, paper = finish_setup(user=request.user, code=request.POST.get("code", ""))
        except WrongCodeError as wrong:
            error = wrong
        else:
            django_otp.login(request, device)
            note_confirmed(request)
            return render(request, "web/second_factor_paper.html", {"codes": paper, "next": goal})
    setup = setup_in_progress(user=request.user) or begin_setup(user=request.user)
    page = {"next": goal, "error": error, "setup": setup}
    return render(request, "web/second_factor_setup.html", page, status=WRONG if error else 200)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def confirm(request: MemberRequest) -> HttpResponse:
    """Ask for the password once more."""
    goal = safe_goal(request, otherwise="web:home")
    wrong = False
    if request.method == "POST":
        # through the backends, so that wrong ones are counted as they are at the door
        name, password = request.user.get_username(), request.POST.get("password", "")
        if authenticate(request, username=name, password=password) is not None:
            note_confirmed(request)
            return redirect(goal)
        wrong = True
    return render(request, "web/confirm.html", {"next": goal, "wrong": wrong}, status=WRONG if wrong else 200)
