"""Keep, rename and forget filters of a page. A view is the person's own and leads to that page alone."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.web.models import SavedView

# what a view of each page may hold; where one was paging is no part of it
PAGES = {
    "batches": ("view", "project", "product", "locale", "state", "q"),
    "cases": ("view", "project", "target", "kind", "owner", "age"),
    "review": ("project", "product", "locale", "purpose", "batch", "state", "seen", "view"),
}
MOST = 30
NAME_LONGEST = 60
VALUE_LONGEST = 200


class ViewNameError(DomainError):
    """No name, or one that is too long."""

    code = "view-name"
    template = gettext_noop("A view needs a name of 1 to %(most)s characters.")


class ViewNameTakenError(DomainError):
    """Another view of this page has it."""

    code = "view-name-taken"
    template = gettext_noop("There is a view “%(name)s” already.")


class TooManyViewsError(DomainError):
    """More than a bar can show."""

    code = "too-many-views"
    template = gettext_noop("%(most)s views are kept for a page. Delete one first.")


def save_view(*, user: User, page: str, name: str, query: str) -> SavedView:
    """Keep the filters of ``query``; a view of that name is given these filters.

    Raises ViewNameError, TooManyViewsError; ValueError for a page that has no views.
    """
    kept = _name(name)
    filters = filters_of(page, query)
    own = SavedView.objects.filter(user=user, page=page)
    if own.count() >= MOST and not own.filter(name=kept).exists():
        raise TooManyViewsError(most=MOST)
    view, _made = SavedView.objects.update_or_create(
        user=user, page=page, name=kept, defaults={"query": filters}
    )
    return view


def rename_view(*, view: SavedView, name: str) -> None:
    """Raises ViewNameError, ViewNameTakenError."""
    kept = _name(name)
    try:
        with transaction.atomic():
            SavedView.objects.filter(pk=view.pk).update(name=kept)
    except IntegrityError:
        raise ViewNameTakenError(name=kept) from None


def delete_view(*, view: SavedView) -> None:
    """Forget it."""
    SavedView.objects.filter(pk=view.pk).delete()


def filters_of(page: str, query: str) -> str:
    """What of an address is a filter of ``page``, in a fixed order. Raises ValueError for an unknown page."""
    if page not in PAGES:
        raise ValueError(page)
    given = dict(parse_qsl(query[:4000], max_num_fields=50))
    return urlencode([(key, given[key][:VALUE_LONGEST]) for key in PAGES[page] if given.get(key)])[:1000]


def _name(name: str) -> str:
    kept = " ".join(name.replace("\x00", "").split())
    if not 1 <= len(kept) <= NAME_LONGEST:
        raise ViewNameError(most=NAME_LONGEST)
    return kept
