"""Accepting an invitation: whoever has the link may, as somebody new or as who they are already."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from once_delivery.accounts.models import Invitation
from once_delivery.accounts.services.invitations import (
    AlreadyMemberError,
    InvitationOverError,
    accept_as,
    accept_as_new,
    open_invitation,
)
from once_delivery.accounts.services.visits import begin_visit
from once_delivery.common.errors import InvalidInputError
from once_delivery.ui.doors import MemberRequest, note_confirmed, signed_in
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.selectors.account import password_rules
from once_delivery.web.selectors.roles import role_words

BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Ask who accepts. The address is a secret: it is kept nowhere, indexed nowhere and told to no other house."""
    try:
        found = open_invitation(secret=secret)
        if request.user.is_authenticated:
            response = signed_in(partial(_known, found=found, secret=secret))(request)
        else:
            response = _new(request, found, secret)
    except InvitationOverError as over:
        response = render(request, "web/invitation_over.html", {"error": over}, status=404)
    add_never_cache_headers(response)
    response["X-Robots-Tag"] = "noindex, nofollow"
    # not "no-referrer": browsers then send "Origin: null" with the form, which is refused as another house's
    response["Referrer-Policy"] = "same-origin"
    return response


def _known(request: MemberRequest, *, found: Invitation, secret: str) -> HttpResponse:
    answer = Answer()
    if request.method == "POST":
        try:
            membership = accept_as(secret=secret, user=request.user)
        except AlreadyMemberError as error:
            answer = answer_of(error, {})
        else:
            _greet(request, membership.project.name)
            return redirect("web:project", code=membership.project.code)
    page = {
        "invitation": found,
        "words": role_words(found.role),
        "answer": answer,
        "known": True,
        "for_another": bool(request.user.email) and request.user.email.lower() != found.email,
    }
    return render(request, "web/invitation.html", page, status=409 if answer.wrong else 200)


@sensitive_variables("secret", "password")
def _new(request: HttpRequest, found: Invitation, secret: str) -> HttpResponse:
    answer = Answer()
    if request.method == "POST":
        name, password = request.POST.get("username", ""), request.POST.get("password", "")
        try:
            user = accept_as_new(secret=secret, username=name, password=password)
        except InvalidInputError as error:
            answer = answer_of(error, {"username": name})
        else:
            login(request, user, backend=BACKEND)
            note_confirmed(request)
            begin_visit(user=user, session=request.session, browser=request.headers.get("User-Agent", ""))
            _greet(request, found.project.name)
            return redirect("web:project", code=found.project.code)
    page = {
        "invitation": found,
        "words": role_words(found.role),
        "answer": answer,
        "known": False,
        "rules": password_rules(),
    }
    return render(request, "web/invitation.html", page, status=answer.status)


def _greet(request: HttpRequest, project: str) -> None:
    messages.success(request, _("You are a member of %(project)s now.") % {"project": project})
