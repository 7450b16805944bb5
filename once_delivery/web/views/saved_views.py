"""Views of a list that a person keeps."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.models import SavedView
from once_delivery.web.services.saved_views import PAGES, delete_view, filters_of, rename_view, save_view


@require_POST
@signed_in
def save(request: MemberRequest, page: str) -> HttpResponse:
    """Keep the filters that are in use under a name."""
    if page not in PAGES:
        raise Http404
    query = request.POST.get("query", "")
    name = request.POST.get("name", "")
    try:
        view = save_view(user=request.user, page=page, name=name, query=query)
    except DomainError as error:
        messages.error(request, error.message)
        return _to(page, filters_of(page, query))
    messages.success(request, _("The view “%(name)s” is kept.") % {"name": view.name})
    return _to(page, view.query)


@require_POST
@signed_in
def change(request: MemberRequest, number: int) -> HttpResponse:
    """Rename a view, or delete it."""
    view = SavedView.objects.filter(user=request.user, pk=number).first()
    if view is None:
        raise Http404
    try:
        if "delete" in request.POST:
            delete_view(view=view)
            messages.success(request, _("The view “%(name)s” is deleted.") % {"name": view.name})
        else:
            rename_view(view=view, name=request.POST.get("name", ""))
    except DomainError as error:
        messages.error(request, error.message)
    return _to(view.page, view.query)


def _to(page: str, query: str) -> HttpResponse:
    address = reverse(f"web:{page}")
    return HttpResponseRedirect(f"{address}?{query}" if query else address)
