"""Finding by result ID, marker, title, product, outside execution, batch, case."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.selectors import search as selectors


@require_safe
@signed_in
def search(request: MemberRequest) -> HttpResponse:
    """What was found, grouped; what matches exactly stands first."""
    found = selectors.search(request.user, request.GET.get("q", ""))
    return render(request, "web/search.html", {"found": found, "query": found.query})
