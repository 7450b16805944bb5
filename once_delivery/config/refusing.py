"""Input that no page can mean, refused once for all of them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views import defaults

from once_delivery.api import problems
from once_delivery.common.unstorable import noted_unstorable

_NO_LENGTH = 411


class RefuseNulMiddleware:
    """A NUL in the address or the query is nobody's search, and PostgreSQL would refuse it with a 500."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if b"\0" in unquote_to_bytes(request.META.get("QUERY_STRING", "")) or "\0" in request.path:
            raise BadRequest("NUL in the address")  # Django answers with the 400 page
        return self.get_response(request)


class RefuseNoLengthMiddleware:
    """Django reads nothing of a body whose length is not told: what it says would be taken for nothing said."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.META.get("HTTP_TRANSFER_ENCODING") and not request.META.get("CONTENT_LENGTH"):
            return _refused(request, BadRequest("no length"), lambda: problems.problem(_NO_LENGTH))
        return self.get_response(request)


class RefuseUnstorableMiddleware:
    """The net under every form: what PostgreSQL cannot keep was wrong when it came. The view has rolled back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A refusal instead of a fault of ours; None leaves any other exception to Django."""
        if not noted_unstorable(exception, request.path):
            return None
        return _refused(request, exception, problems.not_storable)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The 400 page; for a program a problem in its language."""
    return _refused(request, exception, lambda: problems.problem(400))


def _refused(request: HttpRequest, exception: Exception, told: Callable[[], HttpResponse]) -> HttpResponse:
    with translation.override(translation.get_language_from_request(request)):
        to_program = told()
        if request.path.startswith("/api/"):
            return to_program
    response = defaults.bad_request(request, exception)
    response.status_code = to_program.status_code
    return response
