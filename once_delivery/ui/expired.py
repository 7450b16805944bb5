"""A form whose token is over: somebody signed out and in again in another tab, say."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure

from once_delivery.ui.goals import came_from, page_of
from once_delivery.ui.navigations import by_navigation
from once_delivery.ui.refilling import say_not_done


def form_expired(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Back to its page, which puts back what was typed. Whoever comes from elsewhere, or is a guest, is refused."""
    if request.user.is_authenticated and came_from(request) and by_navigation(request):
        say_not_done(request, _("The form had expired, so nothing was done. Do it again here."))
        return HttpResponseRedirect(page_of(request), status=303)
    return csrf_failure(request, reason)
