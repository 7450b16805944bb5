"""Django's admin as a window: whoever runs the installation reads its tables there and changes nothing.

Superusers alone come in, with their second factor. What opens a door (secrets, hashes of secrets, passwords, session keys,
addresses that messages go to, since a webhook's has its secret in it) is not shown, and cannot be asked for either: a list
that took conditions from its address would tell a hidden column letter by letter. The tables of the acceptance drill, and
those that only remember a page or a call of the API, are not there; nor is one of another package: through them devices and
locks could be changed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from django.apps import apps
from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import BinaryField, Field, ForeignKey, JSONField, Model, QuerySet, TextField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import User
from once_delivery.config.window_names import Named, name_of
from once_delivery.ui.doors import is_verified, with_factor
from once_delivery.ui.goals import safe_goal
from once_delivery.web.views.signing import sign_out

LABELS = frozenset(
    {
        "accounts",
        "notices",
        "targets",
        "retention",
        "ledger",
        "review",
        "reconciliation",
        "billing",
        "intake",
        "vendor_drill",
    }
)
# the one list of what is hidden, by name in every table; columns of bytes (what is sealed, files) are never shown
CLOSED = frozenset({"password", "secret_hash", "session_key", "lease_token", "token", "nonce", "address"})
SHOWN = 6  # columns of a list
COUNTED_MOST = 10_000
PAGE = 50


if TYPE_CHECKING:  # neither is generic at run time
    _Admin = ModelAdmin[Model]
    _Pages = Paginator[Model]
else:
    _Admin, _Pages = ModelAdmin, Paginator


class _Counted(_Pages):
    """Counts no further than a person turns pages: a table may have millions of rows."""

    @cached_property
    def count(self) -> int:
        rows = self.object_list
        return rows.order_by()[:COUNTED_MOST].count() if isinstance(rows, QuerySet) else len(rows)


class _List(ChangeList):
    """A list under the name of its table."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.opts = cast(Any, Named(self.model))
        self.title = capfirst(name_of(self.model, many=True))


class Window(_Admin):
    """One table, to be read."""

    paginator = _Counted
    show_full_result_count = False
    list_per_page = PAGE
    ordering = ("-pk",)
    actions = None
    view_on_site = False

    def __init__(self, model: type[Model], admin_site: AdminSite) -> None:
        super().__init__(model, admin_site)
        self.opts = cast(Any, Named(model))

    def get_changelist(self, request: HttpRequest, **_kwargs: Any) -> type[ChangeList]:
        return _List

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """None: Django would take a condition on any column, and through relations on those of other tables."""
        return False

    def to_field_allowed(self, request: HttpRequest, to_field: str) -> bool:
        """None: a row is found by its key alone."""
        return False

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return [one.name for one in told_of(self.model)]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        return self.get_fields(request, obj)

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        short = [
            one for one in told_of(self.model) if not isinstance(one, JSONField | TextField | ForeignKey)
        ]
        return [one.name for one in short[:SHOWN]]

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        if any(one.name == "uuid" for one in told_of(self.model)):
            return ["=uuid"]
        path = "=pk"
        key: Any = self.model._meta.pk  # noqa: SLF001
        while key.is_relation:  # another table's key is this one's: compared is the number at the end
            path, key = f"{path}__pk", key.related_model._meta.pk  # noqa: SLF001
        return [path]

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.is_superuser

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser


def told_of(model: type[Model]) -> list[Field[Any, Any]]:
    """The columns that may be read here."""
    return [
        one
        for one in model._meta.fields  # noqa: SLF001 - Django's documented way to a model's columns
        if not isinstance(one, BinaryField) and one.name not in CLOSED
    ]


class _Site(AdminSite):
    """Behind the house's own door, without the ways past a table's list and its rows, which no page of the window uses."""

    site_header = _("The tables of this installation")
    site_title = site_header
    index_title = _("Read only")

    def get_urls(self) -> list[Any]:
        unused = {"autocomplete", "view_on_site"}
        return [one for one in super().get_urls() if getattr(one, "name", None) not in unused]

    def has_permission(self, request: HttpRequest) -> bool:
        user = request.user
        return isinstance(user, User) and user.is_active and user.is_superuser and is_verified(user)

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:  # noqa: FBT001, FBT002 - as Django calls it
        inside: Callable[..., HttpResponse] = with_factor(super().admin_view(view, cacheable))

        @wraps(inside)
        def door(request: HttpRequest, /, *args: Any, **kwargs: Any) -> HttpResponse:
            user = request.user
            if isinstance(user, User) and not user.is_superuser:
                raise PermissionDenied
            return inside(request, *args, **kwargs)

        return door

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """There is one place to sign in, which counts wrong passwords and asks for the second factor."""
        return redirect_to_login(safe_goal(request, otherwise="admin:index"))

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return sign_out(request)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """One's own page for it, with the house's rules for passwords."""
        return redirect("web:password")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        listed = super().get_app_list(request, app_label)
        for app in listed:
            for one in app["models"]:
                one["name"] = capfirst(name_of(one["model"], many=True))
            app["models"].sort(key=lambda one: str(one["name"]))
        return listed


def a_window() -> AdminSite:
    """A site with the house's tables, to be read."""
    site = _Site(name="admin")
    for label in LABELS:
        site.register(apps.get_app_config(label).get_models(), Window)
    return site
