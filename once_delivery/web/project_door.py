"""The doors of pages that belong to one project and to some of its roles."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse

from billing.people import keeps_books
from once_delivery.accounts.models import Project, User
from once_delivery.ui.doors import MemberRequest, ask_to_confirm, is_fresh, signed_in
from once_delivery.web.fetch import project_of
from once_delivery.web.permits import may_administer

P = ParamSpec("P")
ProjectView = Callable[Concatenate[MemberRequest, Project, P], HttpResponse]


def for_finance(view: ProjectView[P]) -> Callable[..., HttpResponse]:
    """The project's books: for finance and for admins."""
    return _for(keeps_books, view)


def for_admins(view: ProjectView[P]) -> Callable[..., HttpResponse]:
    """The project's settings, for its admins.

    What changes something is done only when the person has shown lately who they are; a page asks for that before its
    forms are filled in (``web/_fresh.html``), so that nothing typed is lost.
    """

    @wraps(view)
    def confirmed(
        request: MemberRequest, project: Project, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if request.method == "POST" and not is_fresh(request):
            return ask_to_confirm(request)
        return view(request, project, *args, **kwargs)

    return _for(may_administer, confirmed)


def _for(may: Callable[[User, Project], bool], view: ProjectView[P]) -> Callable[..., HttpResponse]:
    """The address's ``code`` becomes the project. Who is no member finds nothing (404); who is, but may not, is told so (403)."""

    @wraps(view)
    def entered(request: MemberRequest, code: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        project = project_of(request.user, code)
        if not may(request.user, project):
            raise PermissionDenied
        return view(request, project, *args, **kwargs)

    return signed_in(entered)
