"""One's own second factor: its state, new codes for paper, removing it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from once_delivery.accounts.services.second_factor import (
    has_second_factor,
    paper_codes_left,
    remove_second_factor,
    renew_paper_codes,
    requiring_project,
)
from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest, freshly_confirmed
from once_delivery.web.forms import Answer, answer_of


@require_http_methods(["GET", "HEAD", "POST"])
@freshly_confirmed
def own_factor(request: MemberRequest) -> HttpResponse:
    """The state of it, and what can be done about it."""
    user, answer = request.user, Answer()
    if request.method == "POST":
        try:
            if request.POST.get("act") == "paper":
                codes = renew_paper_codes(user=user)
                paper = {"codes": codes, "next": reverse("web:own-factor")}
                return render(request, "web/second_factor_paper.html", paper)
            if request.POST.get("act") == "remove":
                remove_second_factor(user=user)
                messages.success(
                    request, _("The second factor is removed. Your password alone opens the door.")
                )
                return redirect("web:account")
        except DomainError as error:
            answer = answer_of(error, {})
    page = {
        "answer": answer,
        "has": has_second_factor(user),
        "left": paper_codes_left(user),
        "required_by": requiring_project(user),
    }
    return render(request, "web/own_factor.html", page, status=409 if answer.wrong else 200)
