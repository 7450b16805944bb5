"""What the fee for a normal output comes to in a month, by the terms: what it covers costs nothing more.

A client's request is charged in the month of its first send. Rework of the vendor's faults and automatic retries are
never charged, whatever the terms say; a duplicate that is not the client's gives its fee back in the month of finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.db.models import Count, Exists, Min, OuterRef, Q

from billing.causes import causes_of
from billing.models import Cause, CostEntry, Terms, UnitEntry, UnitReason
from billing.months import bounds_of
from billing.normal_output import FEE_LINE_OF, FeeLine
from billing.terms_on import all_terms, terms_on
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Task
from once_delivery.review.models import Asset, Review, Verdict

CLIENTS = (Cause.CLIENT_DUPLICATE, Cause.CLIENT_CONFIRMED_REPEAT)


@dataclass(frozen=True, slots=True)
class FeeRow:
    """``amount`` None: outside the fee, at a price that the terms do not name."""

    line: FeeLine
    quantity: int
    included: bool
    amount: Decimal | None


@dataclass(frozen=True, slots=True)
class Fees:
    """``total`` is what the normal output comes to, credits taken off, in the currency of the terms."""

    terms: Terms
    month: date
    rows: tuple[FeeRow, ...]
    credited: int  # outputs whose fee is given back
    total: Decimal


def fees_of(project: Project, month: date) -> Fees | None:
    """By the terms that hold at the end of the month; None while none holds."""
    begin, end = bounds_of(project, month)
    versions = all_terms(project.pk)
    terms = terms_on(versions, (end - timedelta(days=1)).date())
    if terms is None:
        return None
    counted = _counted(project, begin, end, terms)
    credited = _credited(project, month)
    charged = counted["output"] + (0 if terms.includes.get("new_version") else counted["new_version"])
    rows = tuple(_row(code, counted[code], terms) for code in counted)
    return Fees(terms, month, rows, credited, (charged - credited) * terms.output_fee)


def _row(code: str, quantity: int, terms: Terms) -> FeeRow:
    line = FEE_LINE_OF[code]
    included = line.never_billed or bool(terms.includes.get(code, line.included))
    if code == "output" or (code == "new_version" and not included):
        return FeeRow(line, quantity, included, quantity * terms.output_fee)
    return FeeRow(line, quantity, included, Decimal(0) if included or not quantity else None)


def _counted(project: Project, begin: datetime, end: datetime, terms: Terms) -> Mapping[str, int]:
    asked = (
        Task.objects.filter(project=project)
        .annotate(first=Min("actions__attempts__intended_at"))
        .filter(first__gte=begin, first__lt=end)
    )
    whole = asked.aggregate(
        first=Count("pk", filter=Q(input_version__number=1)),
        newer=Count("pk", filter=Q(input_version__number__gt=1)),
    )
    rounds = (
        Review.objects.filter(project=project, verdict=Verdict.CHANGES, at__lt=end)
        .values("task")
        .annotate(before=Count("pk", filter=Q(at__lt=begin)), now=Count("pk", filter=Q(at__gte=begin)))
        .filter(now__gt=0)
    )
    included = further = 0
    for row in rounds:
        left = max(0, terms.client_rounds - row["before"])
        included += min(left, row["now"])
        further += max(0, row["now"] - left)
    return {
        "output": whole["first"],
        "new_version": whole["newer"],
        "client_round": included,
        "further_round": further,
        "vendor_rework": _attempts(project, begin, end, Cause.VENDOR_FAULT),
        "platform_retry": _attempts(project, begin, end, Cause.PLATFORM_RETRY),
        "confirmed_repeat": _attempts(project, begin, end, Cause.CLIENT_CONFIRMED_REPEAT),
    }


def _attempts(project: Project, begin: datetime, end: datetime, cause: Cause) -> int:
    rows = CostEntry.objects.filter(
        project=project, cause=cause, attempt__intended_at__gte=begin, attempt__intended_at__lt=end
    )
    return rows.aggregate(many=Count("attempt", distinct=True))["many"] or 0


def _credited(project: Project, month: date) -> int:
    """Duplicates found in the month that are not the client's, and have not been found to be none since."""
    again = UnitEntry.objects.filter(
        asset=OuterRef("asset"), seq__gt=OuterRef("seq"), reason=UnitReason.SURVIVOR_PROMOTED
    )
    found = UnitEntry.objects.filter(
        ~Exists(again), project=project, posted_period=month, reason=UnitReason.DUPLICATE_FOUND
    )
    causes = causes_of(Asset.objects.filter(pk__in=found.values("asset")))
    return sum(cause not in CLIENTS for cause in causes.values())
