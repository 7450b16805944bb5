"""The worked example of ACCOUNTING section 12: what happened in September and October, and what finance did then."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from billing.allocation import allocate as share_out
from billing.entry import NewEntry
from billing.exchange import rate_on
from billing.models import (
    Bearer,
    Cause,
    DocumentKind,
    EntryKind,
    FxRate,
    Grade,
    LineMatch,
    LineStatus,
    PlatformFee,
    RateCard,
    SubBucket,
    Supplier,
    SupplierDocument,
    SupplierLine,
)
from billing.refusals import refusals
from billing.services.allocate import allocate
from billing.services.decide_duplicate import decide_duplicate
from billing.services.judge_cause import judge_cause
from billing.services.post_entries import post_entries
from billing.services.pull_labour import pull_labour
from billing.services.pull_platform_fees import pull_platform_fees
from billing.services.pull_units import pull_units
from billing.services.settle_fault import settle_fault
from billing.services.share_document import share_document
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
from tests.billing.world import SEPTEMBER, a_keeper, a_project_with_books

RATE = Decimal("7.1234")
PRODUCTS = (("kettle", 1), ("pan", 1), ("pot", 1), ("kettle-red", 1), ("lamp", 1), ("lamp", 2), ("vase", 1))
# each line of the provider's invoice in USD, by the attempt it bills; "x1" is a1 once more
LINES = (
    *(("a1", "4.00"), ("a2", "4.00"), ("a3", "4.00"), ("a4", "4.00"), ("a5", "4.00"), ("a6", "4.00")),
    *(("a7", "6.50"), ("a8", "6.50"), ("a9", "4.00"), ("x1", "4.00"), ("storage", "3.37")),
)


@dataclass(slots=True)
class Example:
    project: Project
    other: Project
    finance: User
    tasks: dict[str, Task] = field(default_factory=dict)
    attempts: dict[str, Attempt] = field(default_factory=dict)
    assets: dict[str, Asset] = field(default_factory=dict)


def begin() -> Example:
    """Projects A and B with their accounts, rates and fees; nothing has happened yet."""
    project = a_project_with_books("aurora")
    made = Example(project, a_project_with_books("borealis"), a_keeper(project))
    FxRate.objects.create(
        project=made.project,
        currency="USD",
        into="CNY",
        day=date(2026, 9, 30),
        rate=RATE,
        source="central bank",
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
    first = [one for one in PRODUCTS if one[1] == 1]
    names = ("T1", "T2", "T3", "T4", "T5", "T7")
    task.update(zip(names, tasks_of(made.project, *first), strict=True))
    attempts["a1"] = delivered(task["T1"], at(3))
    attempts["a2"] = delivered(task["T2"], at(3))
    decided(task["T2"], "rejected", at(4), reasons=["facts"])
    rework = rework_of(task["T2"])
    attempts["a3"] = sent(rework, at(5))
    confirmed(rework, attempts["a3"])
    lost = task["T3"].actions.get()
    attempts["a4"] = sent(lost, at(3), Outcome.UNKNOWN)
    attempts["a5"] = sent(lost, at(4))
    confirmed(lost, attempts["a5"])
    attempts["a6"] = delivered(task["T4"], at(6))
    attempts["a7"] = delivered(task["T5"], at(6))
    (task["T6"],) = tasks_of(made.project, ("lamp", 2))
    attempts["a8"] = delivered(task["T6"], at(7))
    attempts["a9"] = delivered(task["T7"], at(7))
    decided(task["T7"], "rejected", at(8), reasons=["tone"])
    for day, name in enumerate(("T1", "T2", "T3", "T4", "T6"), start=8):
        made.assets[name] = accepted(task[name], at(day))
    worked_on(task["T3"], CaseKind.UNCERTAIN, at(4), 30)
    worked_on(task["T4"], CaseKind.DUPLICATE, at(20), 15)
    for one in tasks_of(made.other, *((f"product-{number}", 1) for number in range(8))):
        delivered(one, at(9))


def september_is_booked(made: Example) -> None:
    """What finance and the pulls do; done again it adds nothing."""
    share_document(document=platform_document(), projects=[made.project, made.other], actor="finance")
    import_invoice(made)
    pull(made)


def pull(made: Example) -> None:
    """Every pull, and what finance decides: T4 is T1 once more, and T7 was cancelled by the client."""
    project = made.project
    pull_platform_fees(project=project)
    pull_labour(project=project)
    pull_units(project=project)
    allocate(project=project, month=SEPTEMBER, actor="finance")
    settle_fault(project=project, actor="finance")


def finance_decides(made: Example) -> None:
    decide_duplicate(
        asset=made.assets["T4"],
        survivor=made.assets["T1"],
        user=made.finance,
        cause=Cause.CLIENT_DUPLICATE,
        record="the client sent two SKUs of one picture",
    )
    judge_cause(
        project=made.project,
        about=made.tasks["T7"],
        cause=Cause.CLIENT_CANCEL,
        record="the client's mail of 9 September",
        user=made.finance,
    )


def platform_document() -> SupplierDocument:
    """What the organisation pays for the platform."""
    supplier, _ = Supplier.objects.get_or_create(
        project=None, code="platform", defaults={"name": "Platform", "sub_bucket": SubBucket.PLATFORM}
    )
    document, _ = SupplierDocument.objects.get_or_create(
        supplier=supplier,
        project=None,
        number="P-09",
        defaults={
            "kind": DocumentKind.INVOICE,
            "dated": date(2026, 9, 30),
            "period": SEPTEMBER,
            "currency": "CNY",
            "total": Decimal(1000),
            "functional_total": Decimal(1000),
            "file_name": "platform.csv",
            "file_sha256": "0" * 64,
            "raw": b"",
        },
    )
    return document


def import_invoice(made: Example) -> None:
    """The provider's invoice: converted once, shared out to its lines, each posted where its attempt is."""
    if SupplierDocument.objects.filter(project=made.project).exists():
        return
    total = sum((Decimal(amount) for _, amount in LINES), Decimal())
    rate = rate_on(project=made.project, currency="USD", into="CNY", day=date(2026, 9, 30))
    functional = (total * rate.rate).quantize(Decimal("0.01"))
    shares = share_out(
        total=functional,
        weights={number: Decimal(amount) for number, (_, amount) in enumerate(LINES, start=1)},
        quantum=Decimal("0.01"),
    ).shares
    with refusals():
        document = SupplierDocument.objects.create(
            project=made.project,
            supplier=Supplier.objects.create(project=made.project, code="provider", name="Provider"),
            kind=DocumentKind.INVOICE,
            number="INV-09",
            dated=date(2026, 9, 30),
            period=SEPTEMBER,
            currency="USD",
            total=total,
            fx_rate=rate.rate,
            fx_date=rate.day,
            fx_source=rate.source,
            functional_total=functional,
            file_name="invoice.csv",
            file_sha256="1" * 64,
            raw=b"",
        )
        entries = []
        for number, (billed, amount) in enumerate(LINES, start=1):
            attempt = made.attempts.get(billed)
            general = billed == "storage"
            sub_bucket = SubBucket.STORAGE if general else SubBucket.GENERATION
            line = SupplierLine.objects.create(
                document=document,
                number=number,
                key=f"{number:064d}",
                request_id="req-a1" if billed == "x1" else f"req-{billed}",
                used_on=date(2026, 9, 30),
                amount=Decimal(amount),
                functional_amount=shares[number],
                sub_bucket=sub_bucket,
            )
            status = (
                LineStatus.GENERAL if general else LineStatus.DOUBLE if billed == "x1" else LineStatus.MATCHED
            )
            LineMatch.objects.create(line=line, project=made.project, status=status, attempt=attempt)
            twice = billed == "x1"
            entries.append(
                NewEntry(
                    project_id=made.project.pk,
                    incurred_on=date(2026, 9, 30),
                    kind=EntryKind.CHARGE,
                    sub_bucket=sub_bucket,
                    cause=Cause.PROVIDER_DOUBLE_BILL if twice else Cause.NORMAL,
                    bearer=Bearer.PROVIDER if twice else Bearer.CLIENT,
                    grade=Grade.INVOICE,
                    amount=shares[number],
                    native_amount=Decimal(amount),
                    native_currency="USD",
                    exchange=rate,
                    document_id=document.pk,
                    supplier_line_id=line.pk,
                    task_id=attempt.action.task_id if attempt else None,
                    attempt_id=attempt.pk if attempt else None,
                    source_key=f"line:{line.pk}",
                )
            )
        post_entries(entries=entries, actor="finance")
