"""What must be true before a month is closed (ACCOUNTING section 11): each gate is a code, a verdict and a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.db.models import Exists, F, OuterRef, Q, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from billing.attempts import sends_in
from billing.held import unclosed_and_held_at
from billing.models import (
    BILLS,
    WAITS,
    AllocationLevel,
    AllocationRun,
    Bearer,
    Books,
    CostEntry,
    DocumentKind,
    EntryKind,
    LineMatch,
    Supplier,
    SupplierDocument,
    Usage,
)
from billing.months import bounds_of, month_of
from billing.services.allocate import COMMON
from billing.services.pull_labour import spans_to_price
from once_delivery.accounts.models import Project
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.states import OPEN_QUESTIONS
from once_delivery.targets.base import Kind


@dataclass(frozen=True, slots=True)
class Gate:
    """``n``: how many things stand in the way, or the amount that does; ``words``: what must be so."""

    code: str
    passed: bool
    n: Decimal
    words: Promise


@dataclass(frozen=True, slots=True)
class _Month:
    project: Project
    month: date
    unclosed: Mapping[date, datetime | None]  # since when each is on hold

    @property
    def used_in(self) -> Q:
        begin, end = bounds_of(self.project, self.month)
        return Q(used_at__gte=begin, used_at__lt=end)


def gates_of(project: Project, month: date) -> tuple[Gate, ...]:
    """Every gate of the month, in the order of the close."""
    of = _Month(project, month, unclosed_and_held_at(project))
    limit = _limit(project)
    found = []
    for code, (count, words) in _GATES.items():
        n = Decimal(count(of))
        passed = n <= limit if code == "undetermined" else not n
        found.append(Gate(code, passed, n, words))
    return tuple(found)


def _limit(project: Project) -> Decimal:
    return Books.objects.get(project=project).undetermined_limit


def _not_over(of: _Month) -> int:
    """What still happens in a closed month would be a correction for ever, and what happened in it after everything was
    pulled for its hold would be in no month at all."""
    _, end = bounds_of(of.project, of.month)
    return int((of.unclosed.get(of.month) or database_now()) < end)


def _earlier(of: _Month) -> int:
    return sum(month < of.month for month in of.unclosed)


def _without_document(of: _Month) -> int:
    """Suppliers that were used this month, or billed the last, of whom there is neither a bill nor an estimate."""
    bills = SupplierDocument.objects.filter(supplier=OuterRef("pk"), kind__in=BILLS)
    last = month_of(of.month - timedelta(days=1))
    # what was told again of a request is kept, and counts for nothing
    used = Usage.objects.filter(of.used_in, project=of.project, provider=OuterRef("code"), replaced=False)
    estimates = CostEntry.objects.filter(
        project=of.project, origin_period=of.month, kind=EntryKind.ACCRUAL
    ).alias(supplier=KeyTextTransform("supplier", "details"))
    estimated = estimates.filter(supplier=OuterRef("code"))
    open_usage = used.filter(settled=False, priced=False)
    rows = Supplier.objects.filter(project=of.project).exclude(Exists(bills.filter(period=of.month)))
    expected = rows.filter(Exists(used) | Exists(bills.filter(period=last, kind=DocumentKind.INVOICE)))
    covered = (Exists(used) & ~Exists(open_usage)) | Exists(estimated)
    return expected.exclude(covered).count()


def _off_total(of: _Month) -> int:
    """Documents of the month whose entries do not sum to their total; PostgreSQL keeps it so, and this looks again."""
    rows = (
        SupplierDocument.objects.filter(project=of.project, period=of.month, kind__in=BILLS)
        .annotate(posted=Coalesce(Sum("entries__amount"), Decimal(0)))
        .exclude(posted=F("functional_total"))
    )
    return rows.count()


def _unmatched(of: _Month) -> int:
    """Lines that wait for an answer and have no owner."""
    return LineMatch.objects.filter(
        project=of.project,
        line__document__period=of.month,
        status__in=WAITS,
        answered_at__isnull=True,
        owner__isnull=True,
    ).count()


def _uncertain(of: _Month) -> int:
    """Jobs whose outcome is open, and of which neither a cost nor an estimate stands."""
    costs = CostEntry.objects.filter(attempt=OuterRef("pk"), bucket="T")
    rows = sends_in(of.project, of.month).filter(
        ~Exists(costs), action__kind=Kind.START_JOB, action__state__in=OPEN_QUESTIONS
    )
    return rows.count()


def _undetermined(of: _Month) -> Decimal:
    rows = CostEntry.objects.filter(
        project=of.project, origin_period=of.month, bearer=Bearer.UNDETERMINED
    ).exclude(kind=EntryKind.FX_DIFF)
    total: Decimal | None = rows.aggregate(total=Sum("amount"))["total"]
    return abs(total or Decimal(0))


def _unallocated(of: _Month) -> int:
    """Common costs that were not shared out while there are sends to share them by, and documents of the organisation
    that were shared with nobody yet."""
    waiting = SupplierDocument.objects.filter(
        ~Exists(AllocationRun.objects.filter(document=OuterRef("pk"), level=AllocationLevel.PROJECTS)),
        project__isnull=True,
        period=of.month,
        kind__in=BILLS,
    ).count()
    common = (
        CostEntry.objects.filter(
            COMMON, project=of.project, origin_period=of.month, task__isnull=True, attempt__isnull=True
        )
        .values("sub_bucket", "bearer", "document_id", "supplier_line_id", "grade")
        .annotate(total=Sum("amount"))
        .exclude(total=0)
        .count()
    )
    return waiting + (common if common and sends_in(of.project, of.month).exists() else 0)


def _unpriced(of: _Month) -> int:
    """Usage without a price, and measured time without a rate: their cost is unknown, not zero."""
    begin, end = bounds_of(of.project, of.month)
    usage = Usage.objects.filter(of.used_in, project=of.project, priced=False, settled=False, replaced=False)
    return usage.count() + spans_to_price(of.project).filter(ended_at__gte=begin, ended_at__lt=end).count()


_GATES: Mapping[str, tuple[Callable[[_Month], int | Decimal], Promise]] = {
    "over": (
        _not_over,
        _(
            "The month is over, and its hold is not from before its end; lift such a hold and hold the month again."
        ),
    ),
    "earlier-months": (_earlier, _("Every earlier month is closed.")),
    "documents": (_without_document, _("Every supplier's bill of the month is imported, or estimated.")),
    "totals": (_off_total, _("What is posted of each document is its total.")),
    "unmatched": (_unmatched, _("Every line that fits no attempt is answered, or has an owner.")),
    "uncertain": (_uncertain, _("Every uncertain job is resolved, or its cost is estimated.")),
    "undetermined": (_undetermined, _("What nobody bears yet is under the limit.")),
    "allocations": (_unallocated, _("Common costs are shared out.")),
    "prices": (_unpriced, _("Nothing that was used is without a price.")),
}
