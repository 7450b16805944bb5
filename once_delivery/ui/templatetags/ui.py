"""Small things that every page uses: icons, times with their zone, ages, IDs cut in the middle, the theme."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django import template
from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from once_delivery.ui.goals import page_of
from once_delivery.ui.theme import theme_of

register = template.Library()

TAIL = 6
SHORT = 24


@register.simple_tag
def icon(name: str, small: bool = False) -> SafeString:  # noqa: FBT001, FBT002 - a template's argument
    """One icon of the sprite; the word beside it says what it means."""
    size = " ic--s" if small else ""
    return format_html(
        '<svg class="ic{}" viewBox="0 0 16 16" aria-hidden="true"><use href="#i-{}"/></svg>', size, name
    )


@register.simple_tag(takes_context=True)
def here(context: Context) -> str:
    """The page that this is; a form's own address is none, and an error page may have no request."""
    request = context.get("request")
    return page_of(request) if isinstance(request, HttpRequest) else "/"


@register.simple_tag
def one_effect() -> SafeString:
    """In a form whose view has ``@one_effect``: the number by which it is known when it is sent twice."""
    return format_html('<input type="hidden" name="{}" value="{}">', "one_effect", uuid4())


@register.filter
def when(value: datetime | None) -> SafeString | str:
    """As short as it may be today; the title (and paper) has the whole of it with its zone."""
    if value is None:
        return "–"
    local = _local(value)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', local.isoformat(), _whole(local), short_time(local)
    )


@register.filter
def to_the_second(value: datetime | None) -> SafeString | str:
    """For time lines and evidence, where seconds matter."""
    if value is None:
        return "–"
    local = _local(value)
    day = "" if local.date() == timezone.localdate() else f"{local:%m-%d} "
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', local.isoformat(), _whole(local), f"{day}{local:%H:%M:%S}"
    )


def _local(value: datetime) -> datetime:
    """In the reader's zone; what no zone can show (the last hours of 9999) as it is."""
    try:
        return timezone.localtime(value)
    except OverflowError:
        return value


def short_time(local: datetime) -> str:
    """10:42 today, 11-27 10:42 this year, 2025-11-27 else."""
    now = timezone.localtime()
    if local.date() == now.date():
        return f"{local:%H:%M}"
    return f"{local:%m-%d %H:%M}" if local.year == now.year else f"{local:%Y-%m-%d}"


@register.filter
def span(value: timedelta | None) -> str:
    """How long, in its two largest units."""
    if value is None:
        return "–"
    minutes = max(0, int(value.total_seconds()) // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return _("%(days)s d %(hours)s h") % {"days": days, "hours": hours}
    if hours:
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": f"{minutes:02d}"}
    return _("%(minutes)s min") % {"minutes": minutes}


@register.filter
def person(user: AbstractUser) -> str:
    """A person's name, as far as it is known."""
    return user.get_full_name() or user.get_username()


@register.filter
def id_head(value: str) -> str:
    """All but the tail: what may be cut when there is no room."""
    return value[:-TAIL] if len(value) > SHORT else value


@register.filter
def id_tail(value: str) -> str:
    """The last characters of a long ID: they are never cut."""
    return value[-TAIL:] if len(value) > SHORT else ""


@register.simple_tag(takes_context=True)
def theme(context: Context) -> str:
    """``light``, ``dark``, or nothing; an error page may have no request."""
    request = context.get("request")
    return theme_of(request) if isinstance(request, HttpRequest) else ""


@register.simple_tag
def zone() -> dict[str, Any]:
    """The zone that this page's times are in: its offset and its name."""
    now = timezone.localtime()
    offset = now.strftime("%z")
    minutes = "" if offset[3:] == "00" else f":{offset[3:]}"
    return {
        "offset": f"UTC{offset[0]}{int(offset[1:3])}{minutes}",
        "name": timezone.get_current_timezone_name(),
    }


def _whole(local: datetime) -> str:
    offset = local.strftime("%z")
    return f"{local:%Y-%m-%d %H:%M:%S} UTC{offset[:3]}:{offset[3:]}"
