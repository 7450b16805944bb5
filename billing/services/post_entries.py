"""Post costs: the only writer of the ledger of costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop
from psycopg.types.json import Jsonb

from billing.allocation import rounded
from billing.among import Among
from billing.entry import NewEntry
from billing.models import BUCKET_OF, Books, CostEntry, Terms
from billing.months import month_of
from billing.refusals import check_sums, refusals
from billing.services.open_period import Months
from billing.terms_on import all_terms, terms_on
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError

CHUNK = 5000  # rows that are in memory at once
# what is taken as it is given; what is worked out; what PostgreSQL gives, whatever stands there
_GIVEN = (
    *(
        "incurred_on",
        "kind",
        "sub_bucket",
        "cause",
        "bearer",
        "tax_treatment",
        "tax_memo",
        "task_id",
        "attempt_id",
    ),
    *("asset_id", "case_id", "document_id", "supplier_line_id", "grade", "reverses_id", "corrects_id"),
    *("allocation_run_id", "transfer", "approval_id", "source_key", "description"),
)
_WORKED_OUT = (
    *("project_id", "posted_period", "origin_period", "bucket", "amount", "native_amount", "native_currency"),
    *("fx_rate", "fx_date", "fx_source", "terms_id", "details", "actor"),
)
_OF_POSTGRESQL = {"seq": 0, "correction": False, "created_at": "now", "prev_hash": "", "hash": ""}
_COLUMNS = ",".join((*_GIVEN, *_WORKED_OUT, *_OF_POSTGRESQL))
_given = attrgetter(*_GIVEN)
_of_postgresql = tuple(_OF_POSTGRESQL.values())
_COPY = f"COPY billing_costentry ({_COLUMNS}) FROM STDIN"
_LOCK = "SELECT billing_lock(%s), statement_timestamp()"
_HEAD = "SELECT coalesce(max(seq), 0) FROM billing_costentry WHERE project_id = %s"


class NoBooksError(DomainError):
    """Costs are kept for projects that have accounts."""

    code = "no-books"
    template = gettext_noop("This project has no accounts yet; say in which currency they are kept first.")


class NoAmountError(DomainError):
    """An entry says its amount, or a native amount with the rate to convert it at."""

    code = "no-amount"
    template = gettext_noop("An entry needs an amount, or an amount in another currency and its rate.")


class AmountNotMultipleError(DomainError):
    """Sums are exact to the quantum of the accounts only if each amount is."""

    code = "amount-is-multiple"
    template = gettext_noop(
        "%(amount)s is no multiple of %(quantum)s, the smallest amount of these accounts."
    )


def currency_of(project: Project) -> str:
    """The functional currency of the project's accounts. Raises NoBooksError."""
    books = Books.objects.filter(project=project).first()
    if books is None:
        raise NoBooksError
    return books.currency


@dataclass(slots=True)
class Posted:
    """What came of it: how many entries were new, how many had been posted before, and where the new ones are."""

    posted: int = 0
    skipped: int = 0
    runs: dict[int, tuple[int, int]] = field(default_factory=dict)  # project → first and last number

    def entries(self) -> QuerySet[CostEntry]:
        """The new entries, by project in the order of their posting."""
        where = Q(pk__in=[])
        for project_id, numbers in self.runs.items():
            where |= Q(project_id=project_id, seq__range=numbers)
        return CostEntry.objects.filter(where).order_by("project_id", "seq")


def post_entries(
    *, entries: Iterable[NewEntry], actor: str, automatic: bool = False, complete: bool = True
) -> Posted:
    """Afterwards all ``entries`` stand in the ledger, or none; one whose source was posted before is left out.

    ``automatic`` is a pull, refused in a month on hold. ``complete``: documents, allocations and changes of bearer must
    add up now; who posts one of them in several calls, in a transaction, says so with the last call only.
    Bounded memory: entries of one project that follow one another are written in chunks. Raises NoBooksError,
    NoAmountError, AmountNotMultipleError, PeriodOnHoldError, AmountTooLargeError, and PostingRefusedError with the
    code of the rule (``period-closed``, ``not-reversible``, ``document-adds-up``, …).
    """
    posted = Posted()
    with refusals():
        for project_id, its in groupby(entries, key=lambda entry: entry.project_id):
            _post_for(_Project.of(project_id, automatic=automatic), its, actor, posted)
        if complete:
            check_sums()
    return posted


@dataclass(frozen=True, slots=True)
class _Project:
    """What every entry of a project is completed with; read under the project's lock."""

    id: int
    books: Books
    terms: list[Terms]
    months: Months

    @classmethod
    def of(cls, project_id: int, *, automatic: bool) -> _Project:
        with connection.cursor() as cursor:
            cursor.execute(_LOCK, [project_id])
        books = Books.objects.filter(project_id=project_id).first()
        if books is None:
            raise NoBooksError
        return cls(project_id, books, all_terms(project_id), Months.of(project_id, automatic=automatic))


def _post_for(project: _Project, entries: Iterable[NewEntry], actor: str, posted: Posted) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_HEAD, [project.id])
        before = int(cursor.fetchone()[0])
        count = 0
        for chunk in _chunks(entries):
            fresh = _not_posted(project.id, chunk)
            rows = [_row(project, entry, actor) for entry in fresh]
            with cursor.copy(_COPY) as copy:
                for row in rows:
                    copy.write_row(row)
            count += len(rows)
            posted.skipped += len(chunk) - len(rows)
    posted.posted += count
    if count:
        first, _ = posted.runs.get(project.id, (before + 1, 0))
        posted.runs[project.id] = (first, before + count)


def _chunks(entries: Iterable[NewEntry]) -> Iterator[list[NewEntry]]:
    walk = iter(entries)
    while chunk := list(islice(walk, CHUNK)):
        yield chunk


def _not_posted(project_id: int, chunk: list[NewEntry]) -> list[NewEntry]:
    keys = [entry.source_key for entry in chunk if entry.source_key]
    if not keys:
        return chunk
    known = set(
        CostEntry.objects.filter(Among("source_key", keys), project_id=project_id)
        .exclude(source_key="")
        .values_list("source_key", flat=True)
    )
    fresh = []
    for entry in chunk:
        if entry.source_key in known:
            continue
        if entry.source_key:
            known.add(entry.source_key)
        fresh.append(entry)
    return fresh


def _row(project: _Project, entry: NewEntry, actor: str) -> tuple[Any, ...]:
    """In the order of ``_COLUMNS``."""
    amount = _amount(project.books, entry)
    same = entry.native_amount is None
    rate = entry.exchange
    origin = month_of(entry.origin or entry.incurred_on)
    terms = terms_on(project.terms, entry.incurred_on)
    return (
        *_given(entry),
        project.id,
        entry.posted or project.months.posting_in(origin),
        origin,
        BUCKET_OF[entry.sub_bucket],
        amount,
        amount if same else entry.native_amount,
        project.books.currency if same else entry.native_currency,
        None if rate.day is None else rate.rate,
        rate.day,
        rate.source,
        entry.terms_id or (terms.pk if terms else None),
        Jsonb(dict(entry.details)),
        actor,
        *_of_postgresql,
    )


def _amount(books: Books, entry: NewEntry) -> Decimal:
    amount = entry.amount
    if amount is None:
        if entry.native_amount is None or (
            entry.exchange.day is None and entry.native_currency != books.currency
        ):
            raise NoAmountError
        amount = rounded(entry.native_amount * entry.exchange.rate, books.quantum)
    if amount % books.quantum:
        raise AmountNotMultipleError(amount=amount, quantum=books.quantum.normalize())
    return amount
