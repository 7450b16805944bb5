"""Match a document's lines and post them: charges, credits or accruals that sum to the document's total."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from billing.among import Among
from billing.copying import copy_in
from billing.entry import NewEntry
from billing.models import (
    Books,
    DocumentKind,
    LineMatch,
    LineStatus,
    SupplierDocument,
    SupplierLine,
    Tax,
    Usage,
)
from billing.services.learn_usage import learn_usage
from billing.services.post_entries import Posted, post_entries
from billing.suppliers.candidates import matcher_for, sought
from billing.suppliers.causes import causes_of
from billing.suppliers.entries import Poster
from billing.suppliers.giving_back import Crediting
from billing.suppliers.matching import GENERAL, ORPHAN, Verdict
from billing.suppliers.progress import Progress, counted, untold
from billing.suppliers.settling import match_of, settle, told_by_lines
from billing.terms_on import all_terms
from once_delivery.accounts.models import Project


def post_document(
    *,
    document: SupplierDocument,
    lines: Sequence[SupplierLine],
    actor: str,
    attempts: Mapping[int, int] | None = None,
    progress: Progress = untold,
) -> Posted:
    """Afterwards each line has a verdict, and what it costs stands in the ledger; called again, nothing is added.

    An invoice settles: the accruals of what it bills are released, and each line is charged where it belongs. Billing
    events are accrued as told by the provider until the invoice comes; a usage report posts nothing and is learned
    from. ``attempts``: line's number → the attempt that it names. In a transaction, under the project's lock; of a
    project's own document only. Raises what ``post_entries`` raises.
    """
    project = document.project
    assert project is not None  # noqa: S101 - share_document posts the others
    matched = set(
        LineMatch.objects.filter(Among("line", [line.pk for line in lines])).values_list("line_id", flat=True)
    )
    lines = [line for line in lines if line.pk not in matched]
    matcher = matcher_for(
        project=project, supplier=document.supplier, lines=lines, attempts=(attempts or {}).values()
    )
    found = matcher.match_all(
        sought(project, line, (attempts or {}).get(line.number))
        for line in lines
        if line.amount > 0 or not (line.amount or line.tax_amount)
    )
    verdicts = {line.pk: found.get(line.number) or _unsought(line) for line in lines}
    copy_in([match_of(project, line, verdicts[line.pk]) for line in lines])
    if document.kind == DocumentKind.USAGE:
        learn_usage(project=project, told=told_by_lines(document, lines, verdicts), actor=actor)
        return Posted()
    return _Posting(document, project, lines, verdicts, actor, progress).post()


def _unsought(line: SupplierLine) -> Verdict:
    """Of a credit, and of tax alone, which follows what it is the tax of."""
    if line.credits_line_id is not None:
        return Verdict(LineStatus.MATCHED, matched_by="credit")
    if line.amount == 0:
        return GENERAL
    return ORPHAN if line.request_id or line.document.kind == DocumentKind.CREDIT_NOTE else GENERAL


@dataclass(frozen=True, slots=True)
class _Posting:
    document: SupplierDocument
    project: Project
    lines: Sequence[SupplierLine]
    verdicts: Mapping[int, Verdict]
    actor: str
    progress: Progress

    def post(self) -> Posted:
        if self.document.kind == DocumentKind.BILLING_EVENTS:
            wanted = self._learned()
            released: list[NewEntry] = []
        else:
            wanted = list(self.lines)
            used = [one for verdict in self.verdicts.values() for one in verdict.used]
            released = settle(document=self.document, lines=self.lines, used=used)
        entries = counted(chain(released, self._entries(wanted)), len(self.lines), self.progress)
        return post_entries(entries=entries, actor=self.actor)

    def _learned(self) -> list[SupplierLine]:
        """The events that say something new: of the others an accrual stands, or the invoice has come."""
        told = list(told_by_lines(self.document, self.lines, self.verdicts))
        learn_usage(project=self.project, told=told, actor=self.actor)
        mine = Usage.objects.filter(
            Among("source_key", [one.source_key for one in told]), project=self.project, replaced=False
        )
        mine.update(priced=True)
        new = set(mine.values_list("source_key", flat=True))
        old = {one.source_key for one in told} - new
        return [line for line in self.lines if f"line:{line.pk}" not in old]

    def _entries(self, lines: Sequence[SupplierLine]) -> Iterator[NewEntry]:
        poster = Poster(
            document=self.document,
            quantum=Books.objects.values_list("quantum", flat=True).get(project=self.project),
            terms=all_terms(self.project.pk),
            causes=causes_of(one for line in lines for one in self.verdicts[line.pk].used),
        )
        crediting = Crediting(poster, lines)
        bases: list[NewEntry] = []
        for line in (one for one in lines if one.amount or not one.tax_amount):
            if line.credits_line is not None:
                yield from crediting.entries(line, line.credits_line)
                continue
            made = list(poster.charges(line, self.verdicts[line.pk]))
            bases += [entry for entry in made if entry.amount and entry.amount > 0]
            if line.amount < 0:
                crediting.gave.append(
                    (line, [one for one in made if one.tax_treatment != Tax.NON_RECOVERABLE])
                )
            yield from made
        for line in (one for one in lines if not one.amount and one.tax_amount):
            if line.credits_line is not None:
                yield from crediting.entries(line, line.credits_line)
            elif line.tax_in_it < 0 and crediting.gave:
                yield from crediting.tax_alone(line)
            else:
                yield from poster.tax_alone(line, bases)
