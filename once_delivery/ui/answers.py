"""Pages that refused a form, kept for an hour so that Back and Reload show them without sending the form again."""

from __future__ import annotations

import base64
import hashlib
import secrets
import zlib
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language

from once_delivery.common.errors import DomainError
from once_delivery.common.secrets import seal, unseal
from once_delivery.ui.models import AnswerPage
from once_delivery.ui.theme import theme_of

KEPT_FOR = timedelta(hours=1)
MOST_BYTES = 1_000_000  # of one page
MOST_OF_ONE = 10  # of one session
MOST_OF_MEMBERS = 5_000
MOST_OF_GUESTS = 1_000  # beside those: who sends forms without signing in takes nobody's place
_GUEST = "guest "
_GUEST_PRINT = 64 - len(_GUEST)


@dataclass(frozen=True, slots=True)
class Kept:
    """``look``: language and colours in which it was written."""

    address: str
    look: str
    html: bytes


def owner_of(request: HttpRequest) -> str:
    """Whose page it is: this person in this session, or whoever has this guest's cookie of forms; "" for nobody."""
    if request.user.is_authenticated:
        return _print("session", request.session.session_key or "", str(request.user.pk))
    # a guest has no session; this cookie changes with every signing in
    cookie = request.META.get("CSRF_COOKIE")
    return f"{_GUEST}{_print(cookie)[:_GUEST_PRINT]}" if cookie else ""


def look_of(request: HttpRequest) -> str:
    """Language and colours that this person reads in."""
    return f"{get_language()} {theme_of(request)}"


def keep_page(*, owner: str, kept: Kept) -> str:
    """The token by which the page is found again; "" when it is not kept: too large, or too many are."""
    if len(kept.html) > MOST_BYTES or _are_too_many(owner):
        return ""
    older = AnswerPage.objects.filter(owner=owner).order_by("-pk").values("pk")[MOST_OF_ONE - 1 :]
    AnswerPage.objects.filter(pk__in=older).delete()
    token = secrets.token_urlsafe(16)
    html = base64.b64encode(zlib.compress(kept.html)).decode("ascii")
    AnswerPage.objects.create(
        token=_print(token),
        owner=owner,
        path=_path(kept.address),
        sealed=seal({"address": kept.address, "look": kept.look, "html": html}),
        at=timezone.now(),
    )
    return token


def kept_page(*, owner: str, token: str) -> Kept | None:
    """The page, for its owner alone."""
    found = AnswerPage.objects.filter(
        token=_print(token), owner=owner, at__gt=timezone.now() - KEPT_FOR
    ).first()
    if found is None:
        return None
    try:
        opened = unseal(found.sealed)
    except DomainError:  # the key has changed meanwhile
        return None
    return Kept(opened["address"], opened["look"], zlib.decompress(base64.b64decode(opened["html"])))


def forget_pages(*, owner: str, address: str) -> None:
    """What was refused on this page before is over."""
    AnswerPage.objects.filter(owner=owner, path=_path(address)).delete()


def forget_old_pages() -> int:
    """Afterwards none is kept for longer than an hour; returns how many went."""
    return AnswerPage.objects.filter(at__lte=timezone.now() - KEPT_FOR).delete()[0]


def _are_too_many(owner: str) -> bool:
    of_guests = Q(owner__startswith=_GUEST)
    if owner.startswith(_GUEST):
        return AnswerPage.objects.filter(of_guests).count() >= MOST_OF_GUESTS
    return AnswerPage.objects.exclude(of_guests).count() >= MOST_OF_MEMBERS


def _path(address: str) -> str:
    return _print("path", address.partition("?")[0])


def _print(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
