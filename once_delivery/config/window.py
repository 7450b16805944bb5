"""Django's admin as a window: whoever runs the installation reads its tables there and changes nothing.

Superusers alone come in, with their second factor. What opens a door (secrets, hashes of secrets, passwords, session keys,
addresses that messages go to, since a webhook's has its secret in it) is not shown, and cannot be asked for either: a list
that took conditions from its address would tell a hidden column letter by letter. The tables of the acceptance drill, and those that only remember a page or a call of the API, are not there;
nor is one of another package: through them devices and locks could be changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.contrib.admin import ModelAdmin
from django.core.paginator import Paginator
from django.db.models import BinaryField, Field, ForeignKey, JSONField, Model, QuerySet, TextField
from django.http import HttpRequest
from django.utils.functional import cached_property
from django_otp.admin import OTPAdminSite

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


class Window(_Admin):
    """One table, to be read."""

    paginator = _Counted
    show_full_result_count = False
    list_per_page = PAGE
    ordering = ("-pk",)
    actions = None
    view_on_site = False

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


class _Site(OTPAdminSite):  # type: ignore[misc] # it has no types
    """Without the ways past a table's list and its rows, which no page of the window uses."""

    def get_urls(self) -> list[Any]:
        unused = {"autocomplete", "view_on_site"}
        return [one for one in super().get_urls() if getattr(one, "name", None) not in unused]


def a_window() -> OTPAdminSite:
    """A site with the house's tables, to be read."""
    site = _Site(name="admin")
    for label in LABELS:
        site.register(apps.get_app_config(label).get_models(), Window)
    return site
