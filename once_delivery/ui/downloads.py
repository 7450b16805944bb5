"""Files that the browser saves and never shows."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header


def download(data: bytes, name: str) -> HttpResponse:
    """The bytes under this name, whatever they are."""
    response = HttpResponse(data, content_type="application/octet-stream")
    response["Content-Disposition"] = (
        content_disposition_header(as_attachment=True, filename=name) or "attachment"
    )
    return response
