"""Files that the browser saves and never shows."""

from __future__ import annotations

from typing import TypeVar

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

Answer = TypeVar("Answer", bound=HttpResponseBase)


def download(data: bytes, name: str) -> HttpResponse:
    """The bytes under this name, whatever they are."""
    return saved_as(HttpResponse(data, content_type="application/octet-stream"), name)


def saved_as(answer: Answer, name: str) -> Answer:
    """The same, to be saved under this name."""
    answer["Content-Disposition"] = (
        content_disposition_header(as_attachment=True, filename=name) or "attachment"
    )
    return answer
