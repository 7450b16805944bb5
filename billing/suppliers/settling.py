"""What a verdict means beside the charge itself: the row that keeps it, what is settled by it, what is learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.db.models import Q

from billing.among import Among
from billing.entry import NewEntry
from billing.models import DocumentKind, LineMatch, LineStatus, SupplierDocument, SupplierLine, Usage
from billing.services.release_accrual import releases
from billing.suppliers.accruals import accruals_of
from billing.suppliers.matching import Verdict
from billing.suppliers.told import Told
from billing.suppliers.uses import Used
from once_delivery.accounts.models import Project


def match_of(project: Project, line: SupplierLine, verdict: Verdict) -> LineMatch:
    """The row that keeps a verdict."""
    single = verdict.used[0].attempt_id if len(verdict.used) == 1 else None
    if verdict.status == LineStatus.DOUBLE and verdict.candidates:
        single = verdict.candidates[0].attempt_id
    if verdict.matched_by == "credit" and line.credits_line is not None:
        credited: LineMatch | None = getattr(line.credits_line, "match", None)
        single = credited.attempt_id if credited else None
    return LineMatch(
        line=line,
        project=project,
        status=verdict.status,
        attempt_id=single,
        matched_by=verdict.matched_by,
        candidates=sorted({one.attempt_id for one in verdict.candidates}),
        expected=verdict.expected,
    )


def told_by_lines(
    document: SupplierDocument, lines: Sequence[SupplierLine], verdicts: Mapping[int, Verdict]
) -> Iterator[Told]:
    """What billing events and usage reports say of attempts that are known."""
    for line in lines:
        used = verdicts[line.pk].used
        if len(used) == 1 and line.amount >= 0 and verdicts[line.pk].matched_by != "usage_share":
            yield Told(
                source_key=f"line:{line.pk}",
                attempt_id=used[0].attempt_id,
                task_id=used[0].task_id,
                provider=document.supplier.code,
                used_at=line.used_at or used[0].used_at,
                model=line.model,
                request_id=line.request_id or used[0].request_id,
                job_id=used[0].job_id,
                idempotency_key=line.idempotency_key or used[0].idempotency_key,
                units=line.units,
                unit=line.unit if line.units is not None else "",
                amount=line.amount,
                currency=document.currency,
            )


def settle(
    *, document: SupplierDocument, lines: Sequence[SupplierLine], used: Sequence[Used]
) -> list[NewEntry]:
    """Marks the requests that ``lines`` bill as settled; returns the releases of what was accrued for them."""
    names = {line.request_id for line in lines} - {""}
    named = Q(Among("request_id", names)) | Q(Among("job_id", names))
    usages = list(
        Usage.objects.filter(
            Q(Among("pk", [one.usage_id for one in used if one.usage_id is not None]))
            | (Q(Among("attempt", {one.attempt_id for one in used})) & named),
            project=document.project_id,
            settled=False,
        )
    )
    Usage.objects.filter(Among("pk", [one.pk for one in usages])).update(settled=True)
    events = SupplierLine.objects.filter(
        Among("request_id", names),
        document__supplier=document.supplier_id,
        document__project=document.project_id,
        document__kind=DocumentKind.BILLING_EVENTS,
    )
    return releases(accruals_of(project_id=document.project_id or 0, usages=usages, lines=events))
