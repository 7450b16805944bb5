"""Input that no page can mean, refused once for all of them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views import defaults

from once_delivery.api import problems


class RefuseNulMiddleware:
    """A NUL in the address or the query is nobody's search, and PostgreSQL would refuse it with a 500."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if b"\0" in unquote_to_bytes(request.META.get("QUERY_STRING", "")) or "\0" in request.path:
            raise BadRequest("NUL in the address")  # Django answers with the 400 page
        return self.get_response(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The 400 page; for a program a problem in its language."""
    if not request.path.startswith("/api/"):
        return defaults.bad_request(request, exception)
    with translation.override(translation.get_language_from_request(request)):
        return problems.problem(400)
