"""Pull what platform and orchestration cost: so much a month, or so much a send."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import reduce
from itertools import islice
from operator import or_

from django.db.models import CharField, Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat

from billing.attempts import sends_in
from billing.entry import NewEntry
from billing.exchange import NoExchangeRateError, Rate, rate_on
from billing.facts import facts_of
from billing.fault import bearer_of, bearer_of_fee, cause_of
from billing.held import held_months, unclosed_months
from billing.models import Books, Cause, CostEntry, EntryKind, Grade, PlatformFee, SubBucket
from billing.months import day_at, next_month
from billing.services.post_entries import post_entries
from billing.services.pull_labour import Pulled
from billing.standing import Stand
from billing.terms_on import all_terms, terms_on
from once_delivery.accounts.models import Project
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Attempt

AT_ONCE = 1000


def pull_platform_fees(*, project: Project) -> Pulled:
    """Afterwards each fee of a month that is not closed stands in the ledger: monthly ones once the month has begun, and
    those for a send with its attempt.

    A fee whose currency has no rate that day waits and is counted. A second pull posts nothing. Raises what
    ``post_entries`` raises.
    """
    pulled = Pulled()
    pull = _Pull(project, pulled)
    done = post_entries(entries=pull.entries(), actor="pull_platform_fees", automatic=True)
    pulled.posted, pulled.skipped = done.posted, done.skipped
    return pulled


class _Pull:
    def __init__(self, project: Project, pulled: Pulled) -> None:
        self.project, self.pulled = project, pulled
        self.books = Books.objects.get(project=project)
        self.terms = all_terms(project.pk)
        held = held_months(project)
        fees = list(PlatformFee.objects.filter(project=project).order_by("-valid_from", "-pk"))
        self.monthly = [fee for fee in fees if fee.per == PlatformFee.Per.MONTH]
        self.by_send = [fee for fee in fees if fee.per == PlatformFee.Per.ATTEMPT]
        self.rates: dict[tuple[str, date], Rate | None] = {}
        self.today = day_at(project, database_now())
        self.months = [one for one in unclosed_months(project) if one not in held]

    def entries(self) -> Iterator[NewEntry]:
        for month in self.months:
            for fee in _newest(self.monthly, month, next_month(month) - timedelta(days=1)):
                yield from self._monthly(fee, month)
            if self.by_send:
                yield from self._by_send(month)

    def _monthly(self, fee: PlatformFee, month: date) -> Iterator[NewEntry]:
        day = max(month, fee.valid_from)
        rate = self._rate(fee, day) if day <= self.today else None
        if rate is not None:
            terms = terms_on(self.terms, day)
            fixed = SubBucket(fee.sub_bucket) is SubBucket.PLATFORM
            bearer = bearer_of_fee(terms) if fixed else bearer_of(Cause.NORMAL, terms)
            stand = Stand(Cause.NORMAL, bearer)
            yield replace(self._entry(fee, rate, day, stand), source_key=f"fee:{fee.code}:{month:%Y-%m}")

    def _by_send(self, month: date) -> Iterator[NewEntry]:
        codes = {fee.code for fee in self.by_send}
        missing = reduce(or_, (~Exists(_posted(self.project, code)) for code in sorted(codes)))
        fresh = sends_in(self.project, month).filter(missing).select_related("action").order_by("pk")
        for chunk in _chunks(fresh.iterator(chunk_size=AT_ONCE)):
            facts = facts_of({one.action.task_id for one in chunk})
            for attempt in chunk:
                task = facts[attempt.action.task_id]
                cause = next(cause_of(one, task) for one in task.sends if one.attempt_id == attempt.pk)
                yield from self._of_send(attempt, cause)

    def _of_send(self, attempt: Attempt, cause: Cause) -> Iterator[NewEntry]:
        day = day_at(self.project, attempt.intended_at)
        stand = Stand(cause, bearer_of(cause, terms_on(self.terms, day)))
        for fee in _newest(self.by_send, day, day):
            rate = self._rate(fee, day)
            if rate is not None:
                yield replace(
                    self._entry(fee, rate, day, stand),
                    task_id=attempt.action.task_id,
                    attempt_id=attempt.pk,
                    source_key=_key(fee.code, attempt),
                )

    def _rate(self, fee: PlatformFee, day: date) -> Rate | None:
        """None: there is none; what needs it waits."""
        key = (fee.currency, day)
        if key not in self.rates:
            try:
                self.rates[key] = rate_on(
                    project=self.project, currency=fee.currency, into=self.books.currency, day=day
                )
            except NoExchangeRateError:
                self.rates[key] = None
        if self.rates[key] is None:
            self.pulled.unpriced += 1
        return self.rates[key]

    def _entry(self, fee: PlatformFee, rate: Rate, day: date, stand: Stand) -> NewEntry:
        return NewEntry(
            project_id=self.project.pk,
            incurred_on=day,
            kind=EntryKind.CHARGE,
            sub_bucket=SubBucket(fee.sub_bucket),
            cause=stand.cause,
            bearer=stand.bearer,
            grade=Grade.PRICED,
            native_amount=fee.amount,
            native_currency=fee.currency,
            exchange=rate,
            description=fee.code,
        )


def _newest(fees: Iterable[PlatformFee], first: date, last: date) -> list[PlatformFee]:
    """Of ``fees``, newest first: of each code the one that holds between the days, both included."""
    found: dict[str, PlatformFee] = {}
    for fee in fees:
        if fee.valid_from <= last and (fee.valid_until is None or fee.valid_until >= first):
            found.setdefault(fee.code, fee)
    return list(found.values())


def _key(code: str, attempt: Attempt) -> str:
    return f"fee:{code}:send:{attempt.pk}"


def _posted(project: Project, code: str) -> QuerySet[CostEntry]:
    """The entry of the outer attempt's fee (``_key``)."""
    key = Concat(Value(f"fee:{code}:send:"), Cast(OuterRef("pk"), CharField()))
    # what the exclusion says is what the index of sources holds
    return CostEntry.objects.filter(project=project, source_key=key).exclude(source_key="")


def _chunks(attempts: Iterator[Attempt]) -> Iterator[list[Attempt]]:
    while chunk := list(islice(attempts, AT_ONCE)):
        yield chunk
