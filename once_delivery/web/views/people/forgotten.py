"""A password that was forgotten: Django's own views, in our pages, with the link in the outbox."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import logout
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordResetConfirmView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from once_delivery.accounts.models import User
from once_delivery.accounts.services.visits import end_all_visits
from once_delivery.notices.services.send_reset import send_reset
from once_delivery.web.selectors.account import password_rules
from once_delivery.web.selectors.notices import mail_folder


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for the e-mail address. Known and unknown ones are answered alike."""
    if request.method == "POST":
        send_reset(email=request.POST.get("email", ""), language=get_language() or "")
        return redirect("web:reset-sent")
    return render(request, "web/forgotten.html")


@never_cache
@require_safe
def sent(request: HttpRequest) -> HttpResponse:
    """What happens next, whoever asked."""
    return render(request, "web/reset_sent.html", {"folder": mail_folder()})


class NewPassword(PasswordResetConfirmView):
    """The link of the e-mail. Afterwards the person is signed in nowhere, and comes in by the door."""

    template_name = "web/reset.html"
    success_url = reverse_lazy("web:reset-done")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "rules": password_rules()}

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        with transaction.atomic():
            response = super().form_valid(form)
            # this browser's, too; before its row goes, or the session could not be written at the end of the request
            logout(self.request)
            end_all_visits(user=form.user)
        return response

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        response = super().render_to_response(context, **kwargs)
        if not self.validlink:
            response.status_code = 404
        elif self.request.method == "POST":
            response.status_code = 422
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response


@never_cache
@require_safe
def done(request: HttpRequest) -> HttpResponse:
    """It is changed."""
    return render(request, "web/reset_done.html")
