"""What every vendor is to price."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop

from billing.models import Scope
from billing.people import must_keep_books
from billing.typed import Typed
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError

SHARES = ("rejected", "unaccepted", "duplicate", "uncertain")
HUNDRED = Decimal(100)


class ScopeNameTakenError(DomainError):
    """A scope is found by its name."""

    code = "scope-name-taken"
    template = gettext_noop("There is a scope of this name already.")


def save_scope(*, project: Project, user: User, typed: Mapping[str, str]) -> Scope:
    """A new scope from what was typed: counts, and the expected shares in per cent.

    Raises NotFinanceError; InvalidInputError with a problem for each field; ScopeNameTakenError.
    """
    must_keep_books(user, project)
    form = Typed(typed)
    scope = Scope(
        project=project,
        name=form.text("name"),
        currency=form.currency("currency"),
        rate_day=form.day("rate_day"),
        outputs=form.whole("outputs", least=1, most=10_000_000),
        locales=form.whole("locales", least=1, most=500),
        formats=form.text("formats", most=300, needed=False),
        client_rounds=form.whole("client_rounds", most=100),
        months=form.whole("months", least=1, most=120),
        storage_days=form.whole("storage_days", most=100_000),
        resolution_hours=form.number("resolution_hours", most=9999) or Decimal(0),
        created_by=user,
        **{share: (form.number(share, most=100) or Decimal(0)) / HUNDRED for share in SHARES},
    )
    form.judge()
    try:
        with transaction.atomic():
            scope.save()
    except IntegrityError as refused:
        if "scope_name_once_a_project" not in str(refused):
            raise
        raise ScopeNameTakenError from None
    return scope
