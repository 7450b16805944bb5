"""Documents of suppliers, and whether what was posted of each is its total."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Case, Count, F, Q, QuerySet, Sum, When

from billing.models import (
    WAITS,
    AllocationRun,
    CostEntry,
    LineMatch,
    LineStatus,
    SupplierDocument,
    SupplierLine,
    Tax,
)
from billing.people import KEEPERS
from once_delivery.accounts.models import Membership, Project, User

# of a query of matches: ``SupplierLine.cost``
COST_OF_LINE = F("line__functional_amount") + Case(
    When(line__tax_treatment=Tax.NON_RECOVERABLE, then=F("line__tax_functional")), default=Decimal(0)
)


@dataclass(frozen=True, slots=True)
class Control:
    """A project's document's sums in our currency. ``by_status`` sums to ``total``, and so does ``posted`` of a bill.

    Lines of an organisation's document stand at no attempt: they have no status.
    """

    total: Decimal
    posted: Decimal
    by_status: Mapping[str, tuple[int, Decimal]]

    @property
    def matched(self) -> Decimal:
        """What stands at attempts, or is meant for none."""
        return self.total - self.orphans

    @property
    def orphans(self) -> Decimal:
        """What no attempt, or more than one, was found for."""
        unknown = (LineStatus.ORPHAN, LineStatus.AMBIGUOUS)
        return sum((self.by_status[one][1] for one in unknown if one in self.by_status), Decimal(0))


def documents_of(project: Project) -> QuerySet[SupplierDocument]:
    """The project's own, newest first, each with ``lines_count`` and ``waiting``."""
    waits = Q(lines__match__status__in=WAITS, lines__match__answered_at__isnull=True)
    return (
        SupplierDocument.objects.filter(project=project)
        .select_related("supplier", "imported_by")
        .defer("raw")
        .annotate(lines_count=Count("lines"), waiting=Count("lines", filter=waits))
        .order_by("-dated", "-pk")
    )


def organisations_documents(user: User) -> QuerySet[SupplierDocument]:
    """Documents shared by projects that ``user`` may see: who keeps the books of every project that has a share.

    Whoever keeps the books of one of them sees that project's share in its ledger, and nothing of the others.
    """
    kept = Membership.objects.filter(user=user, role__in=KEEPERS, user__is_active=True).values("project")
    foreign = CostEntry.objects.filter(allocation_run__document__isnull=False).exclude(project__in=kept)
    shared = AllocationRun.objects.filter(document__isnull=False).exclude(
        document__in=foreign.values("allocation_run__document")
    )
    return (
        SupplierDocument.objects.filter(project__isnull=True, pk__in=shared.values("document"))
        .select_related("supplier")
        .defer("raw")
        .order_by("-dated", "-pk")
    )


def lines_of(document: SupplierDocument) -> QuerySet[SupplierLine]:
    """In their order, each with its match."""
    return document.lines.select_related("match__attempt__action__task__product", "match__owner").order_by(
        "number"
    )


def control_of(document: SupplierDocument) -> Control:
    """Two queries, whatever its size."""
    rows = (
        LineMatch.objects.filter(line__document=document)
        .values_list("status")
        .annotate(
            lines=Count("pk"),
            amount=Sum(COST_OF_LINE),
        )
        .order_by("status")
    )
    posted = CostEntry.objects.filter(document=document).aggregate(total=Sum("amount"))["total"]
    return Control(
        total=document.functional_total,
        posted=posted or Decimal(0),
        by_status={status: (lines, amount) for status, lines, amount in rows},
    )
