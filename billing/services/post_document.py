"""Match a document's lines and post them: charges, credits or accruals that sum to the document's total."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from billing.entry import NewEntry
from billing.models import (
    Books,
    DocumentKind,
    LineMatch,
    LineStatus,
    SupplierDocument,
    SupplierLine,
    Usage,
)
from billing.services.learn_usage import learn_usage
from billing.services.post_entries import Posted, post_entries
from billing.services.release_accrual import releases
from billing.suppliers.accruals import accruals_of
from billing.suppliers.candidates import matcher_for, sought
from billing.suppliers.causes import causes_of
from billing.suppliers.crediting import Crediting
from billing.suppliers.entries import Poster
from billing.suppliers.matching import GENERAL, ORPHAN, Matcher, Verdict
from billing.suppliers.told import Told
from billing.terms_on import all_terms
from once_delivery.accounts.models import Project


def post_document(
    *,
    document: SupplierDocument,
    lines: Sequence[SupplierLine],
    actor: str,
    attempts: Mapping[int, int] | None = None,
) -> Posted:
    """Afterwards each line has a verdict, and what it costs stands in the ledger; called again, nothing is added.

    An invoice settles: the accruals of what it bills are released, and each line is charged where it belongs. Billing
    events are accrued as told by the provider until the invoice comes; a usage report posts nothing and is learned
    from. ``attempts``: line's number → the attempt that it names. In a transaction, under the project's lock; of a
    project's own document only. Raises what ``post_entries`` raises.
    """
    project = document.project
    assert project is not None  # noqa: S101 - share_document posts the others
    matcher = matcher_for(
        project=project, supplier=document.supplier, lines=lines, attempts=(attempts or {}).values()
    )
    verdicts = {line.pk: _verdict(project, matcher, line, attempts or {}) for line in lines}
    LineMatch.objects.bulk_create(
        [match_of(project, line, verdicts[line.pk]) for line in lines], ignore_conflicts=True
    )
    if document.kind == DocumentKind.USAGE:
        learn_usage(project=project, told=_told(document, lines, verdicts), actor=actor)
        return Posted()
    return _Posting(document, project, lines, verdicts, actor).post()


def _verdict(project: Project, matcher: Matcher, line: SupplierLine, attempts: Mapping[int, int]) -> Verdict:
    if line.amount == 0 and line.tax_amount:
        return GENERAL  # tax alone follows what it is the tax of
    if line.amount < 0:
        if line.credits_line_id is not None:
            return Verdict(LineStatus.MATCHED, matched_by="credit")
        return ORPHAN if line.request_id or line.document.kind == DocumentKind.CREDIT_NOTE else GENERAL
    return matcher.match(sought(project, line, attempts.get(line.number)))


def match_of(project: Project, line: SupplierLine, verdict: Verdict) -> LineMatch:
    """The row that keeps a verdict."""
    single = verdict.used[0].attempt_id if len(verdict.used) == 1 else None
    if verdict.status == LineStatus.DOUBLE and verdict.candidates:
        single = verdict.candidates[0].attempt_id
    if verdict.matched_by == "credit" and line.credits_line is not None:
        credited = LineMatch.objects.filter(line=line.credits_line).first()
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


def _told(
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


@dataclass(frozen=True, slots=True)
class _Posting:
    document: SupplierDocument
    project: Project
    lines: Sequence[SupplierLine]
    verdicts: Mapping[int, Verdict]
    actor: str

    def post(self) -> Posted:
        if self.document.kind == DocumentKind.BILLING_EVENTS:
            wanted = self._learned()
            released: list[NewEntry] = []
        else:
            wanted = list(self.lines)
            released = self._settled()
        return post_entries(entries=[*released, *self._entries(wanted)], actor=self.actor)

    def _learned(self) -> list[SupplierLine]:
        """The events that say something new: of the others an accrual stands, or the invoice has come."""
        told = list(_told(self.document, self.lines, self.verdicts))
        learn_usage(project=self.project, told=told, actor=self.actor)
        mine = Usage.objects.filter(project=self.project, source_key__in=[one.source_key for one in told])
        mine.update(priced=True)
        new = set(mine.values_list("source_key", flat=True))
        old = {one.source_key for one in told} - new
        return [line for line in self.lines if f"line:{line.pk}" not in old]

    def _settled(self) -> list[NewEntry]:
        """The releases of what these lines settle."""
        used = [one for verdict in self.verdicts.values() for one in verdict.used]
        names = {line.request_id for line in self.lines} - {""}
        named = Q(request_id__in=names) | Q(job_id__in=names)
        usages = list(
            Usage.objects.filter(
                Q(pk__in=[one.usage_id for one in used])
                | (Q(attempt__in={one.attempt_id for one in used}) & named),
                project=self.project,
                settled=False,
            )
        )
        Usage.objects.filter(pk__in=[one.pk for one in usages]).update(settled=True)
        events = SupplierLine.objects.filter(
            document__supplier=self.document.supplier,
            document__project=self.project,
            document__kind=DocumentKind.BILLING_EVENTS,
            request_id__in=names,
        )
        return releases(accruals_of(project=self.project, usages=usages, lines=events))

    def _entries(self, lines: Sequence[SupplierLine]) -> Iterator[NewEntry]:
        poster = Poster(
            document=self.document,
            quantum=Books.objects.values_list("quantum", flat=True).get(project=self.project),
            terms=all_terms(self.project.pk),
            causes=causes_of(one for line in lines for one in self.verdicts[line.pk].used),
        )
        crediting = Crediting(self.document, poster.quantum)
        bases: list[NewEntry] = []
        for line in (one for one in lines if one.amount or not one.tax_amount):
            if line.credits_line is not None:
                yield from crediting.entries(line, line.credits_line)
                continue
            made = list(poster.charges(line, self.verdicts[line.pk]))
            bases += [entry for entry in made if entry.amount and entry.amount > 0]
            yield from made
        for line in (one for one in lines if not one.amount and one.tax_amount):
            yield from poster.tax_alone(line, bases)
