"""How a page of the house is entered: signed in with every factor, in one's own time zone, never from a cache."""

from __future__ import annotations

import enum
import time
import zoneinfo
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from once_delivery.accounts.models import User
from once_delivery.accounts.services.second_factor import Missing, missing_factor
from once_delivery.accounts.services.visits import note_seen
from once_delivery.ui.goals import own_address, page_of
from once_delivery.ui.refilling import say_not_done

P = ParamSpec("P")
CONFIRMED_FOR_S = 15 * 60
_SEEN_EVERY_S = 5 * 60
_WAYS = {
    Missing.NOTHING: "",
    Missing.SHOW: "web:second-factor",
    Missing.SET_UP: "web:second-factor-setup",
}
_CONFIRMED, _SEEN = "confirmed_at", "seen_at"
ASKED_FIRST = gettext_noop("You were asked who you are first, so nothing was done. Do it again here.")


class MemberRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: User
    htmx: HtmxDetails


View = Callable[Concatenate[MemberRequest, P], HttpResponse]
Entered = Callable[Concatenate[HttpRequest, P], HttpResponse]


class Factor(enum.Enum):
    """Whose second factor a door asks for."""

    OF_NOBODY = enum.auto()
    WHERE_SET_UP = enum.auto()  # or where a project of theirs asks for one
    OF_EVERYBODY = enum.auto()


def signed_in(view: View[P]) -> Entered[P]:
    """Only for people who are signed in, with the second factor where there must be one."""
    return _door(view, factor=Factor.WHERE_SET_UP)


def with_factor(view: View[P]) -> Entered[P]:
    """Only with the second factor: who has none yet is led to where it is set up, and back."""
    return _door(view, factor=Factor.OF_EVERYBODY)


def half_signed_in(view: View[P]) -> Entered[P]:
    """For the pages where the second factor itself is shown or set up."""
    return _door(view, factor=Factor.OF_NOBODY)


def freshly_confirmed(view: View[P]) -> Entered[P]:
    """For what is risky: only when the person has shown within a quarter of an hour who they are.

    To be put over ``signed_in``'s place. A form that comes too late is asked for again after the confirmation.
    """

    @wraps(view)
    def entered(request: MemberRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not is_fresh(request):
            return ask_to_confirm(request)
        return view(request, *args, **kwargs)

    return signed_in(entered)


def is_fresh(request: HttpRequest) -> bool:
    """Whether the person has shown within a quarter of an hour who they are."""
    return time.time() - float(request.session.get(_CONFIRMED, 0)) <= CONFIRMED_FOR_S


def ask_to_confirm(request: HttpRequest, *, goal: str = "") -> HttpResponse:
    """To where the person shows once more who they are, and back to this page, or to ``goal`` where it has none."""
    say_not_done(request, _(ASKED_FIRST))
    goal = goal or (own_address(request) if request.method in {"GET", "HEAD"} else request.path)
    return _away(request, f"{resolve_url('web:confirm')}?{urlencode({'next': goal})}")


def is_verified(user: User) -> bool:
    """Whether the person has shown the second factor in this session."""
    return bool(user.is_verified())  # type: ignore[attr-defined] # by the middleware of django-otp


def note_confirmed(request: HttpRequest) -> None:
    """The person has just shown who they are."""
    request.session[_CONFIRMED] = time.time()


def _door(view: View[P], *, factor: Factor) -> Entered[P]:
    @wraps(view)
    def entered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        user = request.user
        if not isinstance(user, User):
            return _to_sign_in(request)
        missing = _missing_factor(user, factor)
        if missing:
            say_not_done(request, _(ASKED_FIRST))
            return _away(request, f"{resolve_url(missing)}?{urlencode({'next': page_of(request)})}")
        _note_seen(request, user)
        with timezone.override(zone_of(user)):
            response = view(cast(MemberRequest, request), *args, **kwargs)
        add_never_cache_headers(response)
        return response

    return entered


def _missing_factor(user: User, factor: Factor) -> str:
    """The address where the second factor is shown or set up; "" when nothing is missing."""
    if factor is Factor.OF_NOBODY or is_verified(user):
        return ""
    missing = missing_factor(user)
    if missing is Missing.NOTHING and factor is Factor.OF_EVERYBODY:
        missing = Missing.SET_UP
    return _WAYS[missing]


def _note_seen(request: HttpRequest, user: User) -> None:
    now = time.time()
    if now - float(request.session.get(_SEEN, 0)) > _SEEN_EVERY_S:
        request.session[_SEEN] = now
        note_seen(user=user, session=request.session)


def zone_of(user: User) -> zoneinfo.ZoneInfo:
    """The person's time zone; the house's when none is set or the name is not known."""
    try:
        return zoneinfo.ZoneInfo(user.timezone or settings.TIME_ZONE)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return zoneinfo.ZoneInfo(settings.TIME_ZONE)


def _away(request: HttpRequest, address: str) -> HttpResponse:
    """A part of a page that may not be shown moves the whole page, not itself."""
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(address)
    return HttpResponseRedirect(address)


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    """A part of a page that is fetched after the session ended moves the whole page, not itself."""
    say_not_done(request, _("You had been signed out, so nothing was done. Do it again here."))
    htmx = getattr(request, "htmx", None)
    if htmx:
        goal = urlencode({"next": htmx.current_url_abs_path or "/"})  # the page, not its part
        return HttpResponseClientRedirect(f"{resolve_url(settings.LOGIN_URL)}?{goal}")
    return redirect_to_login(page_of(request))
