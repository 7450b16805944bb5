"""Import a supplier's document: all of it or nothing, each line once, posted to its total."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.locking import lock_books
from billing.models import BILLS, Books, ColumnMapping, SupplierDocument
from billing.people import must_keep_books
from billing.refusals import refusals
from billing.services.post_document import post_document
from billing.services.post_entries import NoBooksError, Posted
from billing.services.share_document import share_document
from billing.suppliers.checks import check_number
from billing.suppliers.incoming import Imported, Incoming
from billing.suppliers.keeping import Kept, keep
from billing.suppliers.line import ReadLine, keys_of
from billing.suppliers.progress import Progress, untold
from billing.suppliers.shapes import Bill, Wanted, read_bill
from billing.suppliers.summary import summary
from once_delivery.common.errors import DomainError
from once_delivery.common.sheets.limits import current_limits
from once_delivery.common.sheets.problems import Problems


class FileKnownError(DomainError):
    """The same bytes under another number would be billed twice."""

    code = "file-known"
    template = gettext_noop("This file was imported as “%(number)s” already.")


class OtherSupplierError(DomainError):
    """A supplier bills one project, or the organisation, whose documents are shared by projects."""

    code = "unknown-supplier"
    template = gettext_noop("There is no such supplier in this project.")


def import_document(*, incoming: Incoming, dry_run: bool = False, progress: Progress = untold) -> Imported:
    """Afterwards each line of the file is kept and posted once; the same file, or the same lines, add nothing.

    The lines that are new in a file of a known number make a supplement of that document, at its rate. A dry run does
    everything and leaves nothing. ``progress`` is told of steps: each line is read, kept and posted. Raises
    ImportRefusedError with all problems by row and column, FileKnownError, OtherSupplierError, NotFinanceError,
    NoBooksError, NoExchangeRateError, AmountTooLargeError and what ``post_entries`` raises.
    """
    _permit(incoming)
    problems = Problems()
    check_number(incoming.number, problems)
    bill = _read(incoming, problems)
    incoming = replace(incoming, shape=bill.shape)
    lines = len(bill.lines)
    progress(lines, 3 * lines)
    with refusals():
        lock_books({incoming.project.pk, *(one.pk for one in incoming.shared_by)})
        books = Books.objects.filter(project=incoming.project).first()
        if books is None:
            raise NoBooksError
        _refuse_other_number(incoming)
        kept = keep(incoming, bill.lines, keys_of(bill.lines), books, problems)
        progress(2 * lines, 3 * lines)
        posted = _post(incoming, kept, progress) if kept.document is not None else Posted()
        result = summary(incoming, bill, kept, books, posted, dry_run=dry_run)
        if dry_run:
            transaction.set_rollback(True)
    return replace(result, notes=tuple(problems.notes))


def _permit(incoming: Incoming) -> None:
    if incoming.supplier.project_id != (None if incoming.shared_by else incoming.project.pk):
        raise OtherSupplierError
    if incoming.user is not None:
        for project in (incoming.project, *incoming.shared_by):
            must_keep_books(incoming.user, project)


def _read(incoming: Incoming, problems: Problems) -> Bill:
    saved = ColumnMapping.objects.filter(supplier=incoming.supplier, kind=incoming.kind).first()
    mapping = incoming.mapping if incoming.mapping is not None else saved.columns if saved else None
    wanted = Wanted(
        file_name=incoming.file_name,
        zone=ZoneInfo(incoming.project.timezone),
        shape=incoming.shape or (saved.shape if saved else ""),
        mapping=mapping,
        currency=incoming.currency,
        tax_treatment=incoming.tax_treatment,
        credit_note=incoming.credit_note,
    )
    bill = read_bill(incoming.data, wanted, current_limits(), problems)
    return replace(bill, lines=_signed(bill.lines, incoming))


def _signed(lines: Sequence[ReadLine], incoming: Incoming) -> list[ReadLine]:
    """A supplier may write what it gives back with or without a minus."""
    if not incoming.credit_note or any((line.amount or line.tax) < 0 for line in lines):
        return list(lines)
    return [replace(line, amount=-line.amount, tax=-line.tax, is_credit=True) for line in lines]


def _refuse_other_number(incoming: Incoming) -> None:
    """Raises FileKnownError for a bill; exports of events may overlap, and their lines are known by what they say."""
    if incoming.kind not in BILLS:
        return
    same = SupplierDocument.objects.filter(
        supplier=incoming.supplier,
        kind=incoming.kind,
        file_sha256=hashlib.sha256(incoming.data).hexdigest(),
    ).exclude(number=incoming.number)
    number = same.values_list("number", flat=True).first()
    if number is not None:
        raise FileKnownError(number=number)


def _post(incoming: Incoming, kept: Kept, progress: Progress) -> Posted:
    assert kept.document is not None  # noqa: S101
    if incoming.shared_by:
        return share_document(
            document=kept.document,
            projects=incoming.shared_by,
            actor=incoming.actor,
            weights=incoming.weights,
        )
    return post_document(
        document=kept.document,
        lines=kept.lines,
        actor=incoming.actor,
        attempts=kept.attempts,
        progress=progress,
    )
