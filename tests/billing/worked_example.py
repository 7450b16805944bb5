"""The worked example of ACCOUNTING section 12: what happened in September and October, and what finance did then."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from billing.models import Cause, DocumentKind, FxRate, PlatformFee, RateCard, SubBucket, Supplier
from billing.services.allocate import allocate
from billing.services.close_period import close_period
from billing.services.decide_duplicate import decide_duplicate
from billing.services.hold_period import hold_period
from billing.services.import_document import import_document
from billing.services.judge_cause import judge_cause
from billing.services.pull_labour import pull_labour
from billing.services.pull_platform_fees import pull_platform_fees
from billing.services.pull_units import pull_units
from billing.services.pull_usage import pull_usage
from billing.services.settle_fault import settle_fault
from billing.suppliers.incoming import Incoming
from once_delivery.accounts.models import Project, User
from once_delivery.ledger.models import Attempt, Task
from once_delivery.review.models import Asset
from once_delivery.targets.base import Outcome
from reconciliation.models import CaseKind
from tests.billing.deliveries import (
    accepted,
    at,
    confirmed,
    decided,
    delivered,
    rework_of,
    sent,
    tasks_of,
    worked_on,
)
from tests.billing.suppliers.files import a_file, one
from tests.billing.suppliers.world import told_later
from tests.billing.suppliers.world import used as told
from tests.billing.world import OCTOBER, SEPTEMBER, a_keeper, a_project_with_books

RATES = {date(2026, 9, 30): Decimal("7.1234"), date(2026, 10, 30): Decimal("7.2000")}
FIRST = (("kettle", 1), ("pan", 1), ("pot", 1), ("kettle-red", 1), ("lamp", 1), ("vase", 1))
# each line of the provider's invoice in dollars, by the attempt that it bills
AMOUNTS = {f"a{number}": "4.00" for number in range(1, 10)} | {"a7": "6.50", "a8": "6.50"}
DAYS = {"a1": 3, "a2": 3, "a3": 5, "a4": 3, "a5": 4, "a6": 6, "a7": 6, "a8": 7, "a9": 7}
OWN_IN_OCTOBER = ("273.50", "273.50", "273.50")  # with 1.50 of orchestration each: 825.00


@dataclass(slots=True)
class Example:
    project: Project
    other: Project
    finance: User
    provider: Supplier
    tasks: dict[str, Task] = field(default_factory=dict)
    attempts: dict[str, Attempt] = field(default_factory=dict)
    assets: dict[str, Asset] = field(default_factory=dict)


def begin() -> Example:
    """Projects A and B with their accounts, rates and fees; nothing has happened yet."""
    project = a_project_with_books("aurora")
    provider = Supplier.objects.create(project=project, code="provider", name="Provider")
    made = Example(project, a_project_with_books("borealis"), a_keeper(project), provider)
    a_keeper(made.other)
    for day, rate in RATES.items():
        FxRate.objects.create(
            project=project, currency="USD", into="CNY", day=day, rate=rate, source="central bank"
        )
    RateCard.objects.create(project=made.project, hourly=Decimal(120), currency="CNY", valid_from=SEPTEMBER)
    PlatformFee.objects.create(
        project=made.project,
        code="orchestration",
        sub_bucket=SubBucket.ORCHESTRATION,
        per=PlatformFee.Per.ATTEMPT,
        amount=Decimal("1.50"),
        currency="CNY",
        valid_from=SEPTEMBER,
    )
    return made


def september_happens(made: Example) -> None:
    """Nine sends for seven tasks of A, eight for B; what was decided, and the work on two cases."""
    task, attempts = made.tasks, made.attempts
    task.update(zip(("T1", "T2", "T3", "T4", "T5", "T7"), tasks_of(made.project, *FIRST), strict=True))
    attempts["a1"] = delivered(task["T1"], at(3), used("a1"))
    attempts["a2"] = delivered(task["T2"], at(3), used("a2"))
    decided(task["T2"], "rejected", at(4), reasons=["facts"])
    rework = rework_of(task["T2"])
    attempts["a3"] = sent(rework, at(5), usage=used("a3"))
    confirmed(rework, attempts["a3"])
    lost = task["T3"].actions.get()
    attempts["a4"] = sent(lost, at(3), Outcome.UNKNOWN)
    attempts["a5"] = sent(lost, at(4), usage=used("a5"))
    confirmed(lost, attempts["a5"])
    told_later(attempts["a4"], at(3), used("a4"))  # it was at the provider after all, and is discarded
    attempts["a6"] = delivered(task["T4"], at(6), used("a6"))
    attempts["a7"] = delivered(task["T5"], at(6), used("a7"))
    (task["T6"],) = tasks_of(made.project, ("lamp", 2), asked=at(6))
    attempts["a8"] = delivered(task["T6"], at(7), used("a8"))
    attempts["a9"] = delivered(task["T7"], at(7), used("a9"))
    decided(task["T7"], "rejected", at(8), reasons=["tone"])
    for day, name in enumerate(("T1", "T2", "T3", "T4", "T6"), start=8):
        made.assets[name] = accepted(task[name], at(day))
    worked_on(task["T3"], CaseKind.UNCERTAIN, at(4), 30)
    worked_on(task["T4"], CaseKind.DUPLICATE, at(20), 15)
    for others in tasks_of(made.other, *((f"product-{number}", 1) for number in range(8))):
        delivered(others, at(9))


def september_is_booked(made: Example) -> None:
    """What finance imports and what is pulled; done again it adds nothing."""
    platform, _ = Supplier.objects.get_or_create(
        project=None, code="platform", defaults={"name": "Platform", "sub_bucket": SubBucket.PLATFORM}
    )
    pull_usage(project=made.project, actor="pull")
    again(made, platform, a_file(line("", "1000.00", "CNY")), "P-09", shared_by=(made.project, made.other))
    lines = [line(name, amount) for name, amount in AMOUNTS.items()]
    storage = line("", "3.37") | {"model": "", "sub_bucket": "storage", "units": ""}
    again(made, made.provider, a_file(*lines, line("a1", "4.00"), storage), "INV-09", total=Decimal("48.37"))
    pull(made, SEPTEMBER)


def again(made: Example, supplier: Supplier, data: bytes, number: str, **said: Any) -> None:
    """Imports a document; one that was imported is left out."""
    if supplier.documents.filter(number=number).exists():
        return
    values: dict[str, Any] = {"kind": DocumentKind.INVOICE, "dated": date(2026, 9, 30)} | said
    incoming = Incoming(
        project=made.project,
        supplier=supplier,
        number=number,
        data=data,
        file_name="bill.csv",
        user=made.finance,
        **values,
    )
    import_document(incoming=incoming)


def line(request_id: str, amount: str, currency: str = "USD", **more: str) -> dict[str, Any]:
    day = f"2026-09-{DAYS.get(request_id, 30):02}T08:00:05Z"
    return dict(one(request_id=request_id, amount=amount, currency=currency, **{"used_at": day} | more))


def used(request_id: str) -> dict[str, Any]:
    """What a provider's answer tells of its request."""
    return told(request_id, provider="provider")


def pull(made: Example, month: date) -> None:
    pull_platform_fees(project=made.project)
    pull_labour(project=made.project)
    pull_units(project=made.project)
    allocate(project=made.project, month=month, actor="finance")
    settle_fault(project=made.project, actor="finance")


def finance_decides(made: Example) -> None:
    """T4 is T1 once more, and T7 was cancelled by the client."""
    duplicate(made, "T4", "T1")
    judge_cause(
        project=made.project,
        about=made.tasks["T7"],
        cause=Cause.CLIENT_CANCEL,
        record="the client's mail of 9 September",
        user=made.finance,
    )


def duplicate(made: Example, name: str, survivor: str) -> None:
    decide_duplicate(
        asset=made.assets[name],
        survivor=made.assets[survivor],
        user=made.finance,
        cause=Cause.CLIENT_DUPLICATE,
        record="the client sent two SKUs of one picture",
    )


def september_is_closed(made: Example) -> None:
    hold_period(project=made.project, month=SEPTEMBER, user=made.finance)
    close_period(project=made.project, month=SEPTEMBER, user=made.finance)


def october(made: Example) -> None:
    """Three tasks of October, the credit note for x1, and T3 that turns out to be T2 once more."""
    tasks = tasks_of(made.project, ("cup", 1), ("jug", 1), ("bowl", 1), asked=at(2, month=10))
    for number, task in enumerate(tasks, start=1):
        delivered(task, at(5, month=10), usage=used(f"o{number}"))
        made.assets[f"O{number}"] = accepted(task, at(6, month=10))
    pull_usage(project=made.project, actor="pull")
    in_october = {"dated": date(2026, 10, 30), "period": OCTOBER}
    day = "2026-10-05T09:00:00Z"
    lines = [
        line(f"o{number}", amount, "CNY", used_at=day)
        for number, amount in enumerate(OWN_IN_OCTOBER, start=1)
    ]
    again(made, made.provider, a_file(*lines), "INV-10", **in_october)
    again(
        made,
        made.provider,
        a_file(line("a1", "-4.00", used_at=day)),
        "CN-10",
        kind=DocumentKind.CREDIT_NOTE,
        credits_number="INV-09",
        **in_october,
    )
    pull(made, OCTOBER)
    duplicate(made, "T3", "T2")
