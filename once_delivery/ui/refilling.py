"""What was typed comes back after a session ended in the middle of a form: by the browser itself (``js/refill.js``)."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest

# a message with this tag: the page puts back what was typed into its forms
REFILL = "refill"
_NOT_DONE = "once.not_done"


def say_not_done(request: HttpRequest, said: str) -> None:
    """On the page to which one is led back: why the form that was sent did nothing."""
    request.META[_NOT_DONE] = True
    # a script that tells something behind the page is no form that somebody sent
    by_form = (
        request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate" or "HX-Request" in request.headers
    )
    if by_form and request.method not in {"GET", "HEAD"}:
        messages.warning(request, said, extra_tags=REFILL)


def was_done(request: HttpRequest) -> bool:
    """Whether the form reached what it was for: nobody was asked first who they are."""
    return _NOT_DONE not in request.META
