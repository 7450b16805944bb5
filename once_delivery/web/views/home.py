"""What waits for me."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.selectors.finance.at_home import books_at_home
from once_delivery.web.selectors.home import home_of


@require_safe
@signed_in
def home(request: MemberRequest) -> HttpResponse:
    """One sentence a project, and what supports it."""
    return render(
        request, "web/home.html", {"home": home_of(request.user), "books": books_at_home(request.user)}
    )
