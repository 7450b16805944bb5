"""Input that no page can mean, refused once for all of them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse


class RefuseNulMiddleware:
    """A NUL in the address or the query is nobody's search, and PostgreSQL would refuse it with a 500."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if b"\0" in unquote_to_bytes(request.META.get("QUERY_STRING", "")) or "\0" in request.path:
            raise BadRequest("NUL in the address")  # Django answers with the 400 page
        return self.get_response(request)
