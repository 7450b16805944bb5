"""One amount that is to be posted, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from billing.exchange import SAME, Rate
from billing.models import Bearer, Cause, CostEntry, EntryKind, Grade, SubBucket, Tax


@dataclass(frozen=True, slots=True)
class NewEntry:
    """What ``post_entries`` posts.

    Either ``amount`` is given, in the functional currency; or ``native_amount``, ``native_currency`` and ``exchange``,
    and the amount is their product, rounded half up to the project's quantum; or all of them, where a document was
    converted once and then shared out. ``origin`` is the month that the cost belongs to, by default that of
    ``incurred_on``; ``posted`` the month to post in, by default the first that takes it (``open_period``). The bucket
    follows from ``sub_bucket``, the terms from ``incurred_on``. What carries a ``source_key`` is posted once.
    """

    project_id: int
    incurred_on: date
    kind: EntryKind
    sub_bucket: SubBucket
    cause: Cause
    bearer: Bearer
    grade: Grade
    amount: Decimal | None = None
    native_amount: Decimal | None = None
    native_currency: str = ""
    exchange: Rate = SAME
    origin: date | None = None
    posted: date | None = None
    tax_treatment: Tax = Tax.NONE
    tax_memo: Decimal = Decimal(0)
    task_id: int | None = None
    attempt_id: int | None = None
    asset_id: int | None = None
    case_id: int | None = None
    document_id: int | None = None
    supplier_line_id: int | None = None
    reverses_id: int | None = None
    corrects_id: int | None = None
    allocation_run_id: int | None = None
    transfer: UUID | None = None
    approval_id: int | None = None
    terms_id: int | None = None
    source_key: str = ""
    description: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


def like(entry: CostEntry, *, kind: EntryKind, amount: Decimal, **changes: Any) -> NewEntry:
    """A new entry where ``entry`` stands: same day, month of origin, bucket, cause, bearer, task, line, currency.

    The native amount is the same share of the native amount as ``amount`` is of the amount.
    """
    whole = amount in {entry.amount, -entry.amount}
    share = entry.native_amount * (1 if amount == entry.amount else -1) if whole else _share(entry, amount)
    made = NewEntry(
        project_id=entry.project_id,
        incurred_on=entry.incurred_on,
        kind=kind,
        sub_bucket=SubBucket(entry.sub_bucket),
        cause=Cause(entry.cause),
        bearer=Bearer(entry.bearer),
        grade=Grade(entry.grade),
        amount=amount,
        native_amount=share,
        native_currency=entry.native_currency,
        exchange=_exchange(entry),
        origin=entry.origin_period,
        tax_treatment=Tax(entry.tax_treatment),
        task_id=entry.task_id,
        attempt_id=entry.attempt_id,
        asset_id=entry.asset_id,
        case_id=entry.case_id,
        document_id=entry.document_id,
        supplier_line_id=entry.supplier_line_id,
        approval_id=entry.approval_id,
        terms_id=entry.terms_id,
        description=entry.description,
    )
    return replace(made, **changes)


def _share(entry: CostEntry, amount: Decimal) -> Decimal:
    share = entry.native_amount * amount / entry.amount if entry.amount else Decimal(0)
    return share.quantize(Decimal("1e-12"))


def _exchange(entry: CostEntry) -> Rate:
    return SAME if entry.fx_rate is None else Rate(entry.fx_rate, entry.fx_date, entry.fx_source)
