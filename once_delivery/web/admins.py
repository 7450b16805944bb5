"""The door of a project's admin pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from once_delivery.accounts.models import Project
from once_delivery.ui.doors import MemberRequest, ask_to_confirm, is_fresh, signed_in
from once_delivery.web.fetch import project_of
from once_delivery.web.permits import may_administer

P = ParamSpec("P")
AdminView = Callable[Concatenate[MemberRequest, Project, P], HttpResponse]
Entered = Callable[Concatenate[HttpRequest, P], HttpResponse]


def for_admins(view: AdminView[P]) -> Callable[..., HttpResponse]:
    """The address's ``code`` becomes the project. Who is no member finds nothing (404), who is no admin may not (403).

    What changes something is done only when the person has shown lately who they are; a page asks for that before its
    forms are filled in (``web/_fresh.html``), so that nothing typed is lost.
    """

    @wraps(view)
    def entered(request: MemberRequest, code: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        project = project_of(request.user, code)
        if not may_administer(request.user, project):
            raise PermissionDenied
        if request.method == "POST" and not is_fresh(request):
            return ask_to_confirm(request)
        return view(request, project, *args, **kwargs)

    return signed_in(entered)
