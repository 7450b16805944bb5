"""Where a form leads next: an address of this house and no other."""

from __future__ import annotations

from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme


def safe_goal(request: HttpRequest, *, otherwise: str) -> str:
    """The form's or the address's ``next`` when it is of this house, else ``otherwise``."""
    goal = request.POST.get("next") or request.GET.get("next") or ""
    allowed = url_has_allowed_host_and_scheme(
        goal, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return goal if allowed else resolve_url(otherwise)
