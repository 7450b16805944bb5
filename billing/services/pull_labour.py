"""Pull measured time on cases, priced by the dated rate card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import CharField, Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat

from billing.allocation import rounded
from billing.entry import NewEntry
from billing.exchange import NoExchangeRateError, Rate, rate_on
from billing.facts import facts_of
from billing.fault import bearer_of_labour, cause_of_labour, purpose_of_labour
from billing.held import held_months
from billing.models import Books, CostEntry, EntryKind, Grade, RateCard
from billing.months import day_at, month_of
from billing.services.post_entries import post_entries
from billing.terms_on import all_terms, terms_on
from once_delivery.accounts.models import Membership, Project
from reconciliation.models import TimeSpan

SECONDS_AN_HOUR = 3600


@dataclass(slots=True)
class Pulled:
    """How many were new, how many stood already, and how many have no price: these are unknown, not zero."""

    posted: int = 0
    skipped: int = 0
    unpriced: int = 0


def spans_to_price(project: Project) -> QuerySet[TimeSpan]:
    """Measured spans that have ended and stand in no entry."""
    key = Concat(Value("span:"), Cast(OuterRef("pk"), CharField()))
    # what the exclusion says is what the index of sources holds
    posted = CostEntry.objects.filter(project=project, source_key=key).exclude(source_key="")
    return TimeSpan.objects.filter(~Exists(posted), project=project, ended_at__isnull=False)


def pull_labour(*, project: Project) -> Pulled:
    """Afterwards each ended span of work on a case is a LABOUR entry: who, how long, on which case, at which rate.

    A span without a rate that day, or without an exchange rate for it, waits and is counted. A second pull posts
    nothing. Raises what ``post_entries`` raises.
    """
    pulled = Pulled()
    spans = spans_to_price(project).select_related("case__action", "user").order_by("pk")
    entries = list(_Pricing(project, pulled).entries(list(spans)))
    done = post_entries(entries=entries, actor="pull_labour", automatic=True)
    pulled.posted, pulled.skipped = done.posted, done.skipped
    return pulled


class _Pricing:
    def __init__(self, project: Project, pulled: Pulled) -> None:
        self.project, self.pulled = project, pulled
        self.books = Books.objects.get(project=project)
        self.terms = all_terms(project.pk)
        self.held = held_months(project)
        self.cards = list(RateCard.objects.filter(project=project).order_by("-valid_from", "-pk"))
        self.roles = dict(Membership.objects.filter(project=project).values_list("user_id", "role"))

    def entries(self, spans: Sequence[TimeSpan]) -> Iterator[NewEntry]:
        facts = facts_of({span.case.action.task_id for span in spans})
        for span in spans:
            day = day_at(self.project, span.ended_at or span.seen_at)
            if month_of(day) in self.held:
                continue
            card = self._card(span.user_id, day)
            rate = self._rate(card, day) if card else None
            if card is None or rate is None:
                self.pulled.unpriced += 1
                continue
            case, seconds = span.case, _seconds(span)
            cause = cause_of_labour(case.kind, facts[case.action.task_id])
            native = seconds * card.hourly / SECONDS_AN_HOUR
            yield NewEntry(
                project_id=self.project.pk,
                incurred_on=day,
                kind=EntryKind.LABOUR,
                sub_bucket=purpose_of_labour(case.kind),
                cause=cause,
                bearer=bearer_of_labour(cause, case.kind, terms_on(self.terms, day)),
                grade=Grade.PRICED,
                amount=rounded(native * rate.rate, self.books.quantum),
                native_amount=native.quantize(Decimal("1e-12")),
                native_currency=card.currency,
                exchange=rate,
                task_id=case.action.task_id,
                case_id=case.pk,
                source_key=f"span:{span.pk}",
                details={
                    "person": span.user.username,
                    "minutes": str((seconds / 60).quantize(Decimal("0.01"))),
                    "hourly": str(card.hourly),
                    "rate_card": card.pk,
                },
            )

    def _rate(self, card: RateCard, day: date) -> Rate | None:
        try:
            return rate_on(project=self.project, currency=card.currency, into=self.books.currency, day=day)
        except NoExchangeRateError:
            return None

    def _card(self, user_id: int, day: date) -> RateCard | None:
        """Of the person's role if it has a line that holds, else that of everybody."""
        valid = [card for card in self.cards if card.valid_from <= day]
        role = self.roles.get(user_id, "")
        own = next((card for card in valid if card.role == role), None)
        return own or next((card for card in valid if not card.role), None)


def _seconds(span: TimeSpan) -> Decimal:
    return Decimal(((span.ended_at or span.seen_at) - span.began_at).total_seconds())
