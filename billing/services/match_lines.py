"""Look again for the attempts of lines that nobody has answered: usage may have been told since."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from django.db import transaction

from billing.held import held_months
from billing.locking import lock_books
from billing.models import DocumentKind, LineMatch, LineStatus, Supplier, SupplierLine
from billing.months import month_of
from billing.services.place_line import place_line
from billing.services.post_entries import post_entries
from billing.suppliers.candidates import matcher_for, sought
from billing.suppliers.settling import settle
from once_delivery.accounts.models import Project

_OPEN = (LineStatus.ORPHAN, LineStatus.AMBIGUOUS)
_FOUND = (LineStatus.MATCHED, LineStatus.AMOUNT, LineStatus.DATE)
_AT_ONCE = 1000


def match_lines(*, project: Project, actor: str, automatic: bool = False) -> int:
    """Afterwards every waiting line whose attempt can be told now stands there; returns how many were found.

    What a person has answered stays. ``automatic`` is a pull: lines of a month on hold are left alone.
    """
    with transaction.atomic():
        lock_books([project.pk])
        waiting = SupplierLine.objects.filter(
            match__status__in=_OPEN,
            match__answered_at__isnull=True,
            match__project=project,
            amount__gt=0,
        ).exclude(document__kind=DocumentKind.USAGE)
        rows = list(
            waiting.select_related("document__supplier", "document__project").order_by(
                "document__supplier", "used_on", "pk"
            )[:_AT_ONCE]
        )
        held = set(held_months(project)) if automatic else set()
        rows = [line for line in rows if month_of(line.used_on) not in held]
        return sum(
            _match(project, supplier, list(lines), actor)
            for supplier, lines in groupby(rows, key=lambda line: line.document.supplier)
        )


def _match(project: Project, supplier: Supplier, lines: list[SupplierLine], actor: str) -> int:
    matcher = matcher_for(project=project, supplier=supplier, lines=lines)
    found = 0
    # by its place here: lines of several documents have the same numbers
    verdicts = matcher.match_all(
        replace(sought(project, line), number=index) for index, line in enumerate(lines)
    )
    for index, line in enumerate(lines):
        verdict = verdicts[index]
        if verdict.status in _FOUND and line.credited_by.exists():  # it stays where it was given back from
            settled = settle(document=line.document, lines=[line], used=verdict.used)
            post_entries(entries=settled, actor=actor)
        elif verdict.status in _FOUND:
            place_line(line=line, verdict=verdict, actor=actor)
            found += 1
        elif verdict.candidates:
            LineMatch.objects.filter(line=line).update(
                status=verdict.status, candidates=sorted({one.attempt_id for one in verdict.candidates})
            )
    return found
