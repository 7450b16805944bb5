"""The door of a project's finance pages: for finance and for admins."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from billing.people import keeps_books
from once_delivery.accounts.models import Project
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import project_of

P = ParamSpec("P")
BooksView = Callable[Concatenate[MemberRequest, Project, P], HttpResponse]
Entered = Callable[Concatenate[HttpRequest, P], HttpResponse]


def for_finance(view: BooksView[P]) -> Callable[..., HttpResponse]:
    """The address's ``code`` becomes the project. Who is no member finds nothing (404); other roles may not (403)."""

    @wraps(view)
    def entered(request: MemberRequest, code: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        project = project_of(request.user, code)
        if not keeps_books(request.user, project):
            raise PermissionDenied
        return view(request, project, *args, **kwargs)

    return signed_in(entered)
