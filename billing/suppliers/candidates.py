"""What the lines of a bill may be for, as the books know it: the reading half of matching."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q

from billing.among import Among
from billing.models import Books, DocumentKind, Supplier, SupplierLine, Usage
from billing.months import day_at
from billing.suppliers.accruals import expected_of
from billing.suppliers.matching import Matcher, Sought
from billing.suppliers.uses import Used
from once_delivery.accounts.models import Project
from once_delivery.ledger.marker import idempotency_key_of
from once_delivery.ledger.models import Attempt, Receipt

_AROUND = timedelta(days=2)


def sought(project: Project, line: SupplierLine, attempt_id: int | None = None) -> Sought:
    """A kept line as what is looked for."""
    return Sought(
        number=line.number,
        day=line.used_on,
        amount=line.functional_amount,
        sub_bucket=line.sub_bucket,
        used_at=line.used_at,
        used_until=line.used_until,
        dated=line.used_at is not None and _has_clock(project, line.used_at),
        request_id=line.request_id,
        idempotency_key=line.idempotency_key,
        model=line.model,
        units=line.units,
        unit=line.unit,
        attempt_id=attempt_id,
        is_credit=line.amount < 0,
    )


def _has_clock(project: Project, moment: datetime) -> bool:
    """A date alone is kept as midnight, here or in UTC."""
    midnight = time()
    local = moment.astimezone(ZoneInfo(project.timezone)).time()
    return local != midnight and moment.astimezone(UTC).time() != midnight


def matcher_for(
    *, project: Project, supplier: Supplier, lines: Sequence[SupplierLine], attempts: Iterable[int] = ()
) -> Matcher:
    """A matcher that knows every use that one of ``lines`` may be for, and what was billed before them."""
    return Matcher(
        provider=supplier.code,
        quantum=Books.objects.values_list("quantum", flat=True).get(project=project),
        used=_used(project, supplier, lines, attempts),
        billed=_billed(project, supplier, lines),
    )


def _used(
    project: Project, supplier: Supplier, lines: Sequence[SupplierLine], attempts: Iterable[int]
) -> list[Used]:
    ids = {line.request_id for line in lines} - {""}
    keys = {line.idempotency_key for line in lines} - {""}
    wanted = Q(Among("request_id", ids)) | Q(Among("job_id", ids)) | Q(Among("idempotency_key", keys))
    wanted |= Q(Among("attempt", set(attempts)))
    begins = [line.used_at for line in lines if line.used_at is not None]
    if begins:
        ends = [line.used_until or line.used_at for line in lines if line.used_at is not None]
        last = max(end for end in ends if end is not None)
        window = Q(used_at__gte=min(begins) - _AROUND, used_at__lt=last + _AROUND)
        wanted |= Q(provider=supplier.code) & window
    usages = list(Usage.objects.filter(wanted, project=project, replaced=False).order_by("used_at", "pk"))
    expected = expected_of(project_id=project.pk, usages=usages)
    found = [_of_usage(project, usage, expected.get(usage.pk)) for usage in usages]
    named = {name for one in found for name in (one.request_id, one.job_id)}
    known = {one.attempt_id for one in found}
    found += _by_result(project, ids - named)
    found += [_of_attempt(project, one) for one in _attempts(set(attempts) - known)]
    return found


def _of_usage(project: Project, usage: Usage, expected: tuple[Decimal, str] | None) -> Used:
    return Used(
        attempt_id=usage.attempt_id,
        task_id=usage.task_id,
        day=day_at(project, usage.used_at),
        used_at=usage.used_at,
        usage_id=usage.pk,
        provider=usage.provider,
        model=usage.model,
        request_id=usage.request_id,
        job_id=usage.job_id,
        idempotency_key=usage.idempotency_key,
        units=usage.units,
        unit=usage.unit,
        expected=expected[0] if expected else None,
        grade=expected[1] if expected else "",
        settled=usage.settled,
    )


def _by_result(project: Project, ids: set[str]) -> list[Used]:
    """Attempts whose answer named the ID as its result, though nothing was told of usage."""
    if not ids:
        return []
    rows = (
        Receipt.objects.filter(Among("action__result_id", ids), project=project, action__project=project)
        .exclude(result_id="")
        .select_related("attempt__action")
    )
    return [_of_attempt(project, row.attempt, row.result_id) for row in rows if row.result_id in ids]


def _attempts(wanted: set[int]) -> Iterable[Attempt]:
    return Attempt.objects.filter(Among("pk", wanted)).select_related("action") if wanted else ()


def _of_attempt(project: Project, attempt: Attempt, job_id: str = "") -> Used:
    return Used(
        attempt_id=attempt.pk,
        task_id=attempt.action.task_id,
        day=day_at(project, attempt.intended_at),
        used_at=attempt.intended_at,
        job_id=job_id,
        idempotency_key=idempotency_key_of(attempt.action.marker, attempt.key_generation),
    )


def _billed(
    project: Project, supplier: Supplier, lines: Sequence[SupplierLine]
) -> set[tuple[str, str, str, str]]:
    ids = {line.request_id for line in lines} - {""}
    keys = {line.idempotency_key for line in lines} - {""}
    credited = SupplierLine.objects.filter(credits_line=OuterRef("pk"))
    rows = SupplierLine.objects.filter(
        Q(Among("request_id", ids)) | Q(Among("idempotency_key", keys)),
        ~Exists(credited),
        document__supplier=supplier,
        document__project=project,
        document__kind=DocumentKind.INVOICE,
        amount__gt=0,
    ).exclude(Among("pk", [line.pk for line in lines]))
    names = rows.values_list("request_id", "idempotency_key", "model", "unit", "sub_bucket")
    return {(request or key, model, unit, sub_bucket) for request, key, model, unit, sub_bucket in names}
