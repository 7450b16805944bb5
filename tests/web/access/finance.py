from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.utils import timezone

from billing.models import (
    CostEntry,
    DocumentKind,
    Duplicate,
    DuplicateStatus,
    LineMatch,
    Scope,
    SentDocument,
    Supplier,
    SupplierDocument,
)
from billing.services.import_document import import_document
from billing.services.open_books import open_books
from billing.suppliers.incoming import Incoming
from once_delivery.accounts.models import Role, User
from once_delivery.ledger.models import Action
from once_delivery.review.models import Asset, Draft, Review
from tests.web.access.row import Row
from tests.web.conftest import World

BILL = b"Date,Request ID,Amount,Currency\n2026-09-03,req-1,4.00,CNY\n"
SENT = BILL.replace(b"req-1", b"req-2")
KEEPERS = (Role.FINANCE, Role.ADMIN)


def kept(status: int) -> dict[Role, int]:
    """Finance and the admin get this."""
    return dict.fromkeys(KEEPERS, status)


def code(world: World) -> list[object]:
    open_books(project=world.project, since=date(2026, 9, 1))
    return ["aurora"]


def without_books(_: World) -> list[object]:
    return ["aurora"]


def a_month(world: World) -> list[object]:
    return [*code(world), "2026-09"]


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


def finance(world: World) -> User:
    return world.people[Role.FINANCE]


def a_supplier(world: World) -> Supplier:
    code(world)
    return Supplier.objects.get_or_create(project=world.project, code="pictures", defaults={"name": "P"})[0]


def a_document(world: World) -> list[object]:
    supplier = a_supplier(world)
    found = SupplierDocument.objects.filter(supplier=supplier).first()
    if found is None:
        incoming = Incoming(
            project=world.project,
            supplier=supplier,
            kind=DocumentKind.INVOICE,
            number="INV-1",
            dated=date(2026, 9, 30),
            data=BILL,
            file_name="bill.csv",
        )
        found = import_document(incoming=incoming).document
    assert found is not None
    return ["aurora", found.uuid]


def a_line(world: World) -> list[object]:
    a_document(world)
    return ["aurora", LineMatch.objects.filter(project=world.project).order_by("pk")[0].pk]


def a_sent_file(world: World) -> list[object]:
    """Files that were sent are seen by who sent them."""
    supplier = a_supplier(world)
    found, _ = SentDocument.objects.get_or_create(
        project=world.project,
        supplier=supplier,
        kind=DocumentKind.INVOICE,
        number="INV-2",
        sent_by=finance(world),
        defaults={"dated": date(2026, 9, 30), "data": SENT, "file_name": "b.csv", "sent_at": timezone.now()},
    )
    return ["aurora", found.uuid]


def a_duplicate(world: World) -> list[object]:
    code(world)
    found = Duplicate.objects.filter(project=world.project).first()
    if found is None:
        first, second = (
            _accepted(world, action) for action in (world.action("confirmed"), world.action("refused"))
        )
        found = Duplicate.objects.create(
            project=world.project,
            asset=second,
            survivor=first,
            status=DuplicateStatus.SUGGESTED,
            found_at=timezone.now(),
        )
    return ["aurora", found.pk]


def _accepted(world: World, action: Action) -> Asset:
    now = timezone.now()
    given = {"project": world.project, "action": action}
    draft, _ = Draft.objects.get_or_create(
        **given, content_hash="h", defaults={"content": {"title": "x"}, "first_read_at": now, "read_at": now}
    )
    review = Review.objects.create(
        project=world.project, task=action.task, draft=draft, verdict="accepted", user=finance(world), at=now
    )
    return Asset.objects.create(**given, task=action.task, draft=draft, review=review, accepted_at=now)


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
    Row("web:finance-assets", code, member=403, but=kept(200)),
    Row("web:finance-documents", code, member=403, but=kept(200)),
    Row("web:finance-blank-csv", code, member=403, but=kept(200)),
    Row("web:finance-blank-xlsx", code, member=403, but=kept(200)),
    Row("web:finance-documents", code, "post", member=403, but=kept(422)),
    Row("web:finance-document", a_document, member=403, but=kept(200)),
    Row("web:finance-sent", a_sent_file, member=403, but={Role.FINANCE: 200, Role.ADMIN: 404}),
    Row(
        "web:finance-sent",
        a_sent_file,
        "post",
        lambda _: {"act": "forget"},
        member=403,
        but={Role.FINANCE: 302, Role.ADMIN: 404},
    ),
    Row("web:finance-duplicates", code, member=403, but=kept(200)),
    Row("web:finance-duplicate", a_duplicate, member=403, but=kept(200)),
    Row("web:finance-duplicate", a_duplicate, "post", member=403, but=kept(422)),
    Row("web:finance-periods", code, member=403, but=kept(200)),
    Row("web:finance-period", a_month, member=403, but=kept(200)),
    Row("web:finance-period", a_month, "post", lambda _: {"act": "lift"}, member=403, but=kept(409)),
    Row("web:finance-certificate", a_month, member=403, but=kept(200)),
    Row("web:finance-queue", code, member=403, but=kept(200)),
    Row("web:finance-line", a_line, member=403, but=kept(200)),
    Row("web:finance-line", a_line, "post", lambda _: {"answer": "claim"}, member=403, but=kept(422)),
    Row("web:finance-exports", code, member=403, but=kept(200)),
    Row("web:finance-exports", code, "post", member=403, but=kept(422)),
    Row("web:finance-table", lambda world: [*code(world), "units"], member=403, but=kept(200)),
    Row("web:finance-fetch", lambda world: [*code(world), "made-up"], member=403, but=kept(404)),
    Row("web:finance-rates", code, member=403, but=kept(200)),
    Row("web:finance-rates", code, "post", lambda _: {"act": "fee"}, member=403, but=kept(422)),
    Row("web:finance-entry", an_entry, "post", lambda _: {"change": "reverse"}, member=403, but=kept(422)),
    Row("web:finance-terms", code, member=403, but=kept(200)),
    Row("web:finance-terms", code, "post", member=403, but=kept(422)),
    Row("web:finance-scopes", code, member=403, but=kept(200)),
    Row("web:finance-scopes", code, "post", member=403, but=kept(422)),
    Row("web:finance-scope", a_scope, member=403, but=kept(200)),
    Row("web:finance-scope", a_scope, "post", member=403, but=kept(422)),
]
