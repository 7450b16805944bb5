"""Put a line of a bill where it belongs after all: what was posted of it is taken back and posted anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_noop

from billing.among import Among
from billing.entry import NewEntry
from billing.held import held_months
from billing.locking import lock_books
from billing.models import Books, Cause, CostEntry, EntryKind, LineStatus, SupplierLine, Usage
from billing.months import day_at, month_of
from billing.services.learn_usage import learn_usage
from billing.services.open_period import PeriodOnHoldError
from billing.services.post_entries import Posted, post_entries
from billing.services.release_accrual import releases
from billing.standing import taken_back, with_transfers
from billing.suppliers.causes import causes_of
from billing.suppliers.entries import Poster
from billing.suppliers.matching import Verdict
from billing.suppliers.settling import match_of, settle, told_by_lines
from billing.suppliers.told import Told
from billing.terms_on import all_terms
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError

_POSTED = (EntryKind.CHARGE, EntryKind.SUPPLIER_CREDIT, EntryKind.ACCRUAL)


class LineCreditedError(DomainError):
    """What the supplier gave back was given back from where the line stands."""

    code = "line-credited"
    template = gettext_noop("A credit note gives this line back already; it stays where it is.")


class SharedLineError(DomainError):
    """An organisation's document has no place in one project."""

    code = "shared-line"
    template = gettext_noop("This document is shared by projects; its lines belong to none of them alone.")


def place_line(
    *,
    line: SupplierLine,
    verdict: Verdict,
    actor: str,
    words: str = "",
    cause: Cause | None = None,
    automatic: bool = False,
) -> Posted:
    """Afterwards the line has ``verdict``, and its cost stands where that says; its amount stays the same.

    What was posted in a month that is closed is taken back, and posted anew, in the first open one. ``cause``: as a
    person says; else it follows from the facts. ``automatic`` is a pull. Raises LineCreditedError, SharedLineError and what
    ``post_entries`` raises.
    """
    document = line.document
    if document.project is None:
        raise SharedLineError
    with transaction.atomic():
        lock_books([document.project.pk])
        if line.credited_by.exists() or line.credits_line_id is not None:
            raise LineCreditedError
        entries = list(_entries(line, verdict, words, cause))
        posted = post_entries(entries=entries, actor=actor, automatic=automatic)
        row = match_of(document.project, line, verdict)
        values = {name: getattr(row, name) for name in ("status", "attempt_id", "matched_by", "expected")}
        type(row).objects.filter(line=line).update(**values, candidates=row.candidates)
        if not _poster(line, verdict).settles:
            _learn(line, verdict, actor, automatic=automatic)
    return posted


def _entries(line: SupplierLine, verdict: Verdict, words: str, cause: Cause | None) -> Iterator[NewEntry]:
    poster = _poster(line, verdict)
    standing = with_transfers(_posted(line))
    first = standing[0].entry.pk if standing else None
    anew = list(poster.charges(line, verdict, corrects_id=first, cause=cause))
    if poster.settles:
        yield from settle(document=line.document, lines=[line], used=verdict.used)
        if _where(standing_entry.entry for standing_entry in standing) == _where(anew):
            return
        for one in standing:
            yield from taken_back(one, words=words)
    else:
        yield from releases(one.entry for one in standing)
    yield from anew


def _poster(line: SupplierLine, verdict: Verdict) -> Poster:
    project_id = line.document.project_id
    return Poster(
        document=line.document,
        quantum=Books.objects.values_list("quantum", flat=True).get(project=project_id),
        terms=all_terms(project_id or 0),
        causes=causes_of(verdict.used),
    )


def _posted(line: SupplierLine) -> list[CostEntry]:
    """What stands of the line by itself: shares of it that were allocated follow when the month is allocated again."""
    taken = CostEntry.objects.filter(reverses=OuterRef("pk"))
    rows = CostEntry.objects.filter(~Exists(taken), supplier_line=line, kind__in=_POSTED)
    return list(rows.order_by("seq"))


def _where(entries: Iterator[CostEntry] | list[NewEntry]) -> list[tuple[int, Decimal, str, str]]:
    return sorted(
        (one.attempt_id or 0, one.amount or Decimal(0), one.cause, one.tax_treatment) for one in entries
    )


def _learn(line: SupplierLine, verdict: Verdict, actor: str, *, automatic: bool) -> None:
    """A billing event that found its attempt tells what that attempt used."""
    project = line.document.project
    if project is None or verdict.status == LineStatus.GENERAL:
        return
    told = list(told_by_lines(line.document, [line], {line.pk: verdict}))
    if automatic:
        _wait_for_holds(project, told)
    learn_usage(project=project, told=told, actor=actor)
    keys = [one.source_key for one in told]
    Usage.objects.filter(project=project, source_key__in=keys).update(priced=True)


def _wait_for_holds(project: Project, told: Sequence[Told]) -> None:
    """What is told better releases the estimate of before where it stands. Raises PeriodOnHoldError."""
    held = held_months(project)
    accrued = Usage.objects.filter(
        Among("attempt", {one.attempt_id for one in told}),
        project=project,
        priced=True,
        settled=False,
        replaced=False,
    )
    for used_at in accrued.values_list("used_at", flat=True) if held else ():
        month = month_of(day_at(project, used_at))
        if month in held:
            raise PeriodOnHoldError(month=f"{month:%Y-%m}")
