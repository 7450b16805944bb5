from __future__ import annotations

from datetime import date
from decimal import Decimal

from billing.models import CostEntry, Scope
from billing.services.open_books import open_books
from once_delivery.accounts.models import Role
from tests.web.access.row import Row
from tests.web.conftest import World

KEEPERS = (Role.FINANCE, Role.ADMIN)


def kept(status: int) -> dict[Role, int]:
    """Finance and the admin get this."""
    return dict.fromkeys(KEEPERS, status)


def code(world: World) -> list[object]:
    open_books(project=world.project, since=date(2026, 9, 1))
    return ["aurora"]


def without_books(_: World) -> list[object]:
    return ["aurora"]


def an_entry(world: World) -> list[object]:
    given = code(world)
    found = CostEntry.objects.filter(project=world.project).first() or CostEntry.objects.create(
        project=world.project,
        posted_period=date(2026, 9, 1),
        origin_period=date(2026, 9, 1),
        incurred_on=date(2026, 9, 14),
        kind="charge",
        bucket="T",
        sub_bucket="generation",
        cause="normal",
        bearer="client",
        amount=Decimal("4.00"),
        native_amount=Decimal("4.00"),
        native_currency="CNY",
        grade="A",
        task=world.action("confirmed").task,
        actor="finance",
    )
    return [*given, found.pk]


def a_scope(world: World) -> list[object]:
    given = code(world)
    found, _ = Scope.objects.get_or_create(
        project=world.project,
        name="autumn",
        defaults={
            "currency": "CNY",
            "rate_day": date(2026, 10, 1),
            "outputs": 100,
            "created_by": world.people[Role.FINANCE],
        },
    )
    return [*given, found.uuid]


ROWS: list[Row] = [
    Row("web:books", stranger=200, but={Role.FINANCE: 302, Role.ADMIN: 302}),
    Row("web:finance", code, member=403, but=kept(200)),
    Row(
        "web:finance",
        without_books,
        "post",
        lambda _: {"currency": "no"},
        member=403,
        but=kept(422),
        case="no currency",
    ),
    Row("web:finance-entries", lambda world: an_entry(world)[:1], member=403, but=kept(200)),
    Row("web:finance-entry", an_entry, member=403, but=kept(200)),
    Row("web:finance-terms", code, member=403, but=kept(200)),
    Row("web:finance-terms", code, "post", member=403, but=kept(422)),
    Row("web:finance-scopes", code, member=403, but=kept(200)),
    Row("web:finance-scopes", code, "post", member=403, but=kept(422)),
    Row("web:finance-scope", a_scope, member=403, but=kept(200)),
    Row("web:finance-scope", a_scope, "post", member=403, but=kept(422)),
]
