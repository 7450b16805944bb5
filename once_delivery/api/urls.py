"""Addresses of the API: every one of them behind the one door."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.api.door import door
from once_delivery.api.v1 import api, nothing_here


def _behind_the_door() -> list[URLPattern]:
    patterns, *_ = api.urls
    found = [one for one in patterns if isinstance(one, URLPattern) and one.name != "api-root"]
    for one in found:
        one.callback = door(one.callback)
    return found


app_name = "api"
urlpatterns: list[URLPattern] = [*_behind_the_door(), path("<path:rest>", door(nothing_here))]
