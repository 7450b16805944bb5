"""Accrue what attempts used: at the provider's own amount, else at a dated price; what has neither stays unknown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

from django.db import transaction

from billing.entry import NewEntry
from billing.exchange import NoExchangeRateError, Rate, rate_on
from billing.locking import lock_books
from billing.models import (
    Bearer,
    Books,
    Cause,
    EntryKind,
    Grade,
    Period,
    PeriodStatus,
    SubBucket,
    Supplier,
    Usage,
)
from billing.money import LARGEST, written
from billing.months import day_at, month_of
from billing.prices import PriceList, cost_of
from billing.services.post_entries import NoBooksError, post_entries
from billing.suppliers.accruals import accrual_key
from once_delivery.accounts.models import Project


@dataclass(frozen=True, slots=True)
class Priced:
    """How many requests were accrued now; ``unknown`` have no price, ``without_rate`` none in our currency."""

    accrued: int = 0
    unknown: int = 0
    without_rate: int = 0
    held: int = 0  # in a month on hold: accrued when the hold ends


def price_usage(*, project: Project, actor: str) -> Priced:
    """Afterwards every request whose cost can be told is accrued once, bearer undetermined until its line comes.

    A price that is imported later prices what was unknown before. Raises NoBooksError and what ``post_entries`` raises.
    """
    with transaction.atomic():
        lock_books([project.pk])
        books = Books.objects.filter(project=project).first()
        if books is None:
            raise NoBooksError
        work = _Work(project, books, PriceList.of(project), *_around(project))
        waiting = Usage.objects.filter(project=project, priced=False, settled=False, replaced=False)
        entries = list(work.entries(waiting.order_by("pk")))
        post_entries(entries=entries, actor=actor, automatic=True)
        Usage.objects.filter(pk__in=work.done).update(priced=True)
    return replace(work.count, accrued=len(work.done))


def _around(project: Project) -> tuple[frozenset[date], dict[str, SubBucket]]:
    held = Period.objects.filter(project=project, status=PeriodStatus.HOLD).values_list("month", flat=True)
    buckets = Supplier.objects.filter(project=project).values_list("code", "sub_bucket")
    return frozenset(held), {code: SubBucket(sub_bucket) for code, sub_bucket in buckets}


@dataclass(slots=True)
class _Work:
    project: Project
    books: Books
    prices: PriceList
    held: frozenset[date]
    sub_buckets: dict[str, SubBucket]
    count: Priced = Priced()
    done: list[int] = field(default_factory=list)
    _rates: dict[tuple[str, date], Rate | None] = field(default_factory=dict)

    def entries(self, waiting: Iterable[Usage]) -> Iterator[NewEntry]:
        for usage in waiting:
            entry = self._entry(usage)
            if entry is not None:
                self.done.append(usage.pk)
                yield entry

    def _entry(self, usage: Usage) -> NewEntry | None:
        day = day_at(self.project, usage.used_at)
        if month_of(day) in self.held:
            self.count = replace(self.count, held=self.count.held + 1)
            return None
        found = self._cost(usage, day)
        if found is None:
            self.count = replace(self.count, unknown=self.count.unknown + 1)
            return None
        native, currency, grade, details = found
        rate = self._rate(currency, day)
        if rate is not None and Fraction(native) * Fraction(rate.rate) >= LARGEST:
            # nobody pays this: what a provider mistold may not stop the others
            self.count = replace(self.count, unknown=self.count.unknown + 1)
            return None
        if rate is None:
            self.count = replace(self.count, without_rate=self.count.without_rate + 1)
            return None
        return NewEntry(
            project_id=self.project.pk,
            incurred_on=day,
            kind=EntryKind.ACCRUAL,
            sub_bucket=self.sub_buckets.get(usage.provider, SubBucket.GENERATION),
            cause=Cause.UNDETERMINED,
            bearer=Bearer.UNDETERMINED,
            grade=grade,
            native_amount=native,
            native_currency=currency,
            exchange=rate,
            task_id=usage.task_id,
            attempt_id=usage.attempt_id,
            source_key=accrual_key(usage),
            description=" ".join(part for part in (usage.provider, usage.model) if part),
            details=details,
        )

    def _cost(self, usage: Usage, day: date) -> tuple[Decimal, str, Grade, dict[str, str]] | None:
        if usage.amount is not None:
            return usage.amount, usage.currency, Grade.ANSWER, {}
        if usage.units is None:
            return None
        price = self.prices.on(provider=usage.provider, model=usage.model, unit=usage.unit, day=day)
        if price is None:
            return None
        details = {
            "units": written(usage.units),
            "unit": usage.unit,
            "price": written(price.price),
            "valid_from": price.valid_from.isoformat(),
            "source": price.source,
        }
        return cost_of(usage.units, price), price.currency, Grade.PRICED, details

    def _rate(self, currency: str, day: date) -> Rate | None:
        if (currency, day) not in self._rates:
            try:
                found = rate_on(project=self.project, currency=currency, into=self.books.currency, day=day)
            except NoExchangeRateError:
                found = None
            self._rates[currency, day] = found
        return self._rates[currency, day]
