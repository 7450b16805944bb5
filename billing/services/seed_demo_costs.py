"""Give the demo its accounts: what its deliveries would cost at made-up rates, so that finance has something to see.

Everything that is made up says so: rates, prices, the supplier and its bill are called "demo".
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from billing.attempts import sends_in
from billing.models import (
    Books,
    DocumentKind,
    FxRate,
    PlatformFee,
    PriceVersion,
    SubBucket,
    Supplier,
)
from billing.months import day_at, month_of
from billing.services.import_document import import_document
from billing.services.open_books import open_books
from billing.services.pull_costs import pull_costs
from billing.services.pull_usage import pull_usage
from billing.services.save_rate_card import save_rate_card
from billing.suppliers.incoming import Incoming
from once_delivery.accounts.models import Project, Role, User
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Attempt, Task
from once_delivery.ledger.services.report_usage import report_usage
from once_delivery.ledger.transitions import Actor
from once_delivery.review.services.accept_many import accept_many, plan_accepting
from once_delivery.review.services.decide import Decider
from once_delivery.targets.base import Kind

SOURCE = "demo"
PROVIDER = "demo-images"
DOLLAR = Decimal("7.12")
PRICE = Decimal("0.25")  # dollars an output
HOURLY = Decimal(180)
MONTHLY, A_SEND = Decimal("120.00"), Decimal("0.20")
ACCEPTED = 6  # the rest of the sample waits for whoever looks at the demo
HEADER = ("request_id", "used_at", "model", "units", "unit", "amount", "currency", "sub_bucket")


@dataclass(frozen=True, slots=True)
class _Demo:
    project: Project
    finance: User
    today: date

    @property
    def month(self) -> date:
        return month_of(self.today)


def seed_demo_costs(*, project: Project) -> bool:
    """Afterwards the demo keeps accounts, with a bill of this month for what was really sent. False: it did before.

    Six of its drafts are accepted as they stand at their target; where the target cannot be asked, fewer. One send is
    not billed yet (an estimate stands for it), one is billed twice, and one line fits nothing: it waits in the queue.
    Raises what the services raise that it calls.
    """
    if Books.objects.filter(project=project).exists():
        return False
    today = day_at(project, database_now())
    finance = project.memberships.select_related("user").filter(role=Role.FINANCE).earliest("pk").user
    demo = _Demo(project, finance, today)
    open_books(project=project, since=demo.month)
    _rates(demo)
    _accept(demo)
    sends = list(sends_in(project, demo.month).filter(action__kind=Kind.CREATE_DRAFT).order_by("pk"))
    for send in sends:
        report_usage(attempt=send, usage=_usage(send), actor=Actor(SOURCE))
    pull_usage(project=project, actor=SOURCE)
    if sends:
        _bill(demo, sends)
    pull_costs(project=project, allocate_now=True)
    return True


def _rates(demo: _Demo) -> None:
    days = [demo.month + timedelta(days=number) for number in range((demo.today - demo.month).days + 1)]
    FxRate.objects.bulk_create(
        FxRate(project=demo.project, currency="USD", into="CNY", day=day, rate=DOLLAR, source=SOURCE)
        for day in days
    )
    PriceVersion.objects.create(
        project=demo.project,
        provider=PROVIDER,
        unit="image",
        price=PRICE,
        currency="USD",
        valid_from=demo.month,
        source=SOURCE,
        saved_by=demo.finance,
    )
    save_rate_card(
        project=demo.project, user=demo.finance, hourly=HOURLY, currency="CNY", valid_from=demo.month
    )
    fees = (
        ("platform", SubBucket.PLATFORM, PlatformFee.Per.MONTH, MONTHLY),
        ("orchestration", SubBucket.ORCHESTRATION, PlatformFee.Per.ATTEMPT, A_SEND),
    )
    for code, sub_bucket, per, amount in fees:
        PlatformFee.objects.create(
            project=demo.project,
            code=code,
            sub_bucket=sub_bucket,
            per=per,
            amount=amount,
            currency="CNY",
            valid_from=demo.month,
            saved_by=demo.finance,
        )


def _accept(demo: _Demo) -> None:
    lead = demo.project.memberships.select_related("user").filter(role=Role.MARKETING_LEAD).earliest("pk")
    decider = Decider(user=lead.user)
    delivered = Task.objects.filter(
        project=demo.project, actions__kind=Kind.CREATE_DRAFT, actions__state="confirmed", assets=None
    )
    tasks = list(delivered.select_related("project").distinct().order_by("pk")[:ACCEPTED])
    seen = {
        one.task.pk: one.draft.content_hash
        for one in plan_accepting(tasks=tasks, decider=decider)
        if one.draft is not None and one.error is None
    }
    accept_many(tasks=[task for task in tasks if task.pk in seen], hashes=seen, decider=decider)


def _usage(send: Attempt) -> dict[str, str | None]:
    return {
        "provider": PROVIDER,
        "request_id": _request(send),
        "job_id": "",
        "units": "1",
        "unit": "image",
        "amount": None,
        "currency": None,
        "model": "demo-1",
    }


def _request(send: Attempt) -> str:
    return f"demo-{send.token.hex[:12]}"


def _bill(demo: _Demo, sends: Sequence[Attempt]) -> None:
    supplier = Supplier.objects.create(project=demo.project, code=PROVIDER, name="Demo images")
    out = io.StringIO()
    csv.writer(out).writerows([HEADER, *_lines(demo, sends)])
    import_document(
        incoming=Incoming(
            project=demo.project,
            supplier=supplier,
            kind=DocumentKind.INVOICE,
            number=f"DEMO-{demo.month:%Y-%m}",
            dated=demo.today,
            data=out.getvalue().encode(),
            file_name="demo-bill.csv",
            user=demo.finance,
            period=demo.month,
        )
    )


def _lines(demo: _Demo, sends: Sequence[Attempt]) -> Iterator[tuple[str, ...]]:
    now = database_now().isoformat()
    image = ("demo-1", "1", "image", str(PRICE), "USD", "generation")
    billed = sends[:-1] or sends
    for send in billed:
        yield (_request(send), now, *image)
    yield (_request(billed[0]), now, *image)  # twice: a claim on the provider
    yield ("demo-unknown", now, *image)  # nobody's: it waits for an answer
    yield ("", now, "", "", "", "1.80", "USD", "storage")
