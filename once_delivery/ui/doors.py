"""How a page of the house is entered: signed in, in one's own time zone, never from a cache."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from once_delivery.accounts.models import User

P = ParamSpec("P")


class MemberRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: User
    htmx: HtmxDetails


def signed_in(
    view: Callable[Concatenate[MemberRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Only for people who are signed in; times are in their zone; nothing is kept by a cache on the way."""

    @wraps(view)
    def entered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        user = request.user
        if not isinstance(user, User):
            return _to_sign_in(request)
        with timezone.override(zone_of(user)):
            response = view(cast(MemberRequest, request), *args, **kwargs)
        add_never_cache_headers(response)
        return response

    return entered


def zone_of(user: User) -> zoneinfo.ZoneInfo:
    """The person's time zone; the house's when none is set or the name is not known."""
    try:
        return zoneinfo.ZoneInfo(user.timezone or settings.TIME_ZONE)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return zoneinfo.ZoneInfo(settings.TIME_ZONE)


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    """A part of a page that is fetched after the session ended moves the whole page, not itself."""
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(resolve_url(settings.LOGIN_URL))
    return redirect_to_login(request.get_full_path())
