"""Every page that refuses a form has an address of its own (Post/Redirect/Get), so that Back and Reload just work.

One place for all forms: a view answers with the page and its status, as ever. Where a browser shows that answer as a
page, it is kept and the browser is led to the page that the form was on, which shows it. Whoever is no browser, or does
not say where the form was, gets the answer itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeGuard
from urllib.parse import unquote

from django.contrib import messages
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _

from once_delivery.ui.answers import Kept, forget_pages, keep_page, kept_page, look_of, owner_of
from once_delivery.ui.goals import ANSWER, came_from, own_address, shows_answer, without_answer
from once_delivery.ui.navigations import by_navigation
from once_delivery.ui.refilling import REFILL, was_done

_CONFLICT, _WRONG, _TOO_OFTEN = 409, 422, 429
REFUSED = frozenset({_CONFLICT, _WRONG, _TOO_OFTEN})
_OK, _ERRORS, _SEE_OTHER = 200, 400, 303
_KEPT = "once.answer_kept"
_FORM_TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]*')


def keep_answer(request: HttpRequest) -> None:
    """The page that answers this form has an address of its own as well, although it refuses nothing."""
    request.META[_KEPT] = True


class AnswerPagesMiddleware:
    """Keeps a refused form's page, and shows it to whom it was for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        asked = request.GET.get(ANSWER)
        if request.method == "POST":
            return self._sent(request)
        if asked and request.method in {"GET", "HEAD"} and by_navigation(request):
            return self._asked(request, asked)
        return self._get_response(request)

    def _sent(self, request: HttpRequest) -> HttpResponseBase:
        _take_answer_off(request)
        sender = came_from(request) if by_navigation(request) else ""
        owner = owner_of(request) if sender else ""  # before the view: signing in makes another of the guest
        response = self._get_response(request)
        if not owner:
            return response
        address = without_answer(sender)
        if _is_page(response) and (response.status_code in REFUSED or _KEPT in request.META):
            kept = Kept(address, look_of(request), response.content)
            return _led_to(response, address, keep_page(owner=owner, kept=kept))
        goes_back = shows_answer(response.get("Location", ""))  # after another language was chosen, say
        if response.status_code < _ERRORS and not goes_back and was_done(request):
            forget_pages(owner=owner, address=address)
        return response

    def _asked(self, request: HttpRequest, token: str) -> HttpResponseBase:
        """The page behind it is made each time, so that whoever may not see it any more does not see this either."""
        address = without_answer(own_address(request))
        kept = kept_page(owner=owner_of(request), token=token)
        if kept is None or unquote(kept.address) != unquote(address):
            _say(
                request,
                _("What was wrong with the form is not kept any more. This is the page as it is now."),
            )
            return HttpResponseRedirect(address)
        if kept.look != look_of(request):
            _say(request, _("The page is shown anew. Send the form again to read what is wrong with it."))
            return self._get_response(request)
        response = self._get_response(request)
        if response.status_code == _OK and _is_page(response):
            fresh = get_token(request).encode("ascii")
            response.content = _FORM_TOKEN.sub(lambda found: found[1] + fresh, kept.html)
            _say_later(request)
        return response


def _is_page(response: HttpResponseBase) -> TypeGuard[HttpResponse]:
    return isinstance(response, HttpResponse) and response.get("Content-Type", "").startswith("text/html")


def _led_to(refused: HttpResponse, address: str, token: str) -> HttpResponse:
    if not token:
        return refused
    join = "&" if "?" in address else "?"
    led = HttpResponseRedirect(f"{address}{join}{ANSWER}={token}", status=_SEE_OTHER)
    led.cookies = refused.cookies
    add_never_cache_headers(led)
    return led


def _take_answer_off(request: HttpRequest) -> None:
    """A form without an address of its own is sent to where its page is shown; its view knows nothing of that."""
    if ANSWER in request.GET:
        query = without_answer(f"?{request.META['QUERY_STRING']}")[1:]
        request.META["QUERY_STRING"] = query
        request.GET = QueryDict(query, encoding=request.encoding)


def _say_later(request: HttpRequest) -> None:
    """What is to be said stood on the page that was made anew, not on the kept one: it waits for the next."""
    said = messages.get_messages(request)
    if isinstance(said, BaseStorage):
        said.used = False


def _say(request: HttpRequest, words: str) -> None:
    if request.user.is_authenticated:  # pages of guests have no place for it
        messages.info(request, words, extra_tags=REFILL)
