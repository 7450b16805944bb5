"""Look again for the attempts of lines that nobody has answered: usage may have been told since."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from django.db import transaction
from django.db.models import Q, QuerySet

from billing.held import held_months
from billing.locking import lock_books
from billing.models import DocumentKind, LineMatch, LineStatus, Supplier, SupplierLine
from billing.months import next_month
from billing.services.leave_out import Left
from billing.services.place_line import place_line
from billing.services.post_entries import post_entries
from billing.suppliers.candidates import matcher_for, sought
from billing.suppliers.matching import Verdict
from billing.suppliers.settling import settle
from once_delivery.accounts.models import Project

_OPEN = (LineStatus.ORPHAN, LineStatus.AMBIGUOUS)
_FOUND = (LineStatus.MATCHED, LineStatus.AMOUNT, LineStatus.DATE)
_AT_ONCE = 1000


def match_lines(*, project: Project, actor: str, automatic: bool = False) -> int:
    """Afterwards every waiting line whose attempt can be told now stands there; returns how many were found.

    What a person has answered stays. ``automatic`` is a pull: lines of a month on hold are left alone, and so is one
    whose estimate stands in such a month. What the ledger refuses of one line keeps no other from its place: it waits on.
    """
    with transaction.atomic():
        lock_books([project.pk])
        waiting = SupplierLine.objects.filter(
            match__status__in=_OPEN,
            match__answered_at__isnull=True,
            match__project=project,
            amount__gt=0,
        ).exclude(document__kind=DocumentKind.USAGE)
        for month in held_months(project) if automatic else ():
            waiting = waiting.exclude(used_on__gte=month, used_on__lt=next_month(month))
        # those that say whose they are go first, so that no likeness takes what another names
        nameless = Q(request_id="", idempotency_key="")
        return sum(
            _match(_Look(project, actor, automatic), supplier, list(lines))
            for some in (waiting.exclude(nameless), waiting.filter(nameless))
            for rows in _by_chunks(some)
            for supplier, lines in groupby(rows, key=lambda line: line.document.supplier)
        )


def _by_chunks(waiting: QuerySet[SupplierLine]) -> Iterator[list[SupplierLine]]:
    """All of them, not so many at once: what waits for ever keeps no newer line from being looked for."""
    rows = waiting.select_related("document__supplier", "document__project", "match").defer(
        "raw", "document__raw"
    )
    last = 0
    while chunk := list(rows.filter(pk__gt=last).order_by("pk")[:_AT_ONCE]):
        last = chunk[-1].pk
        yield sorted(chunk, key=lambda line: (line.document.supplier_id, line.used_on, line.pk))


@dataclass(frozen=True, slots=True)
class _Look:
    project: Project
    actor: str
    automatic: bool

    def place(self, line: SupplierLine, verdict: Verdict) -> bool:
        """Whether it has left its place among those that wait."""
        if line.credited_by.exists():  # it stays where it was given back from
            settled = settle(document=line.document, lines=[line], used=verdict.used)
            post_entries(entries=settled, actor=self.actor, automatic=self.automatic)
            return False
        place_line(line=line, verdict=verdict, actor=self.actor, automatic=self.automatic)
        return True


def _match(look: _Look, supplier: Supplier, lines: list[SupplierLine]) -> int:
    matcher = matcher_for(project=look.project, supplier=supplier, lines=lines)
    found, left = 0, Left()
    # by its place here: lines of several documents have the same numbers
    verdicts = matcher.match_all(
        replace(sought(look.project, line), number=index) for index, line in enumerate(lines)
    )
    for index, line in enumerate(lines):
        verdict = verdicts[index]
        if verdict.status in _FOUND:
            with left.out("line", line.pk):
                found += look.place(line, verdict)
        elif verdict.candidates:
            _note(line.match, verdict)
    return found


def _note(match: LineMatch, verdict: Verdict) -> None:
    """What a person may choose from, where it is not what it was at the last look."""
    candidates = sorted({one.attempt_id for one in verdict.candidates})
    if (match.status, match.candidates) != (verdict.status, candidates):
        LineMatch.objects.filter(pk=match.pk).update(status=verdict.status, candidates=candidates)
