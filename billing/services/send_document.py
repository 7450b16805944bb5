"""A supplier's file from a browser: kept, tried, imported. What is imported are the bytes that were tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import PurePath

from django.db import transaction
from django.db.models import BigIntegerField, Count, Func, Sum
from django.utils.translation import gettext_noop

from billing.models import (
    SENT_UNDER_WAY,
    ColumnMapping,
    DocumentKind,
    SentDocument,
    SentStatus,
    SentWork,
    SubBucket,
    Supplier,
    Tax,
)
from billing.months import month_named
from billing.people import must_keep_books
from billing.services.import_document import import_document
from billing.services.new_supplier import new_supplier
from billing.suppliers.incoming import Imported, Incoming
from billing.suppliers.outcome import data_of
from billing.suppliers.progress import Progress, untold
from billing.typed import NO_DATE, Typed
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.common.sheets.characters import printable
from once_delivery.common.sheets.formats import check_size
from once_delivery.common.sheets.limits import MEGABYTE, current_limits
from once_delivery.common.sheets.problems import ImportRefusedError, Problems
from once_delivery.ledger.clock import database_now

KEPT_FOR = timedelta(days=2)  # a file that nobody imported
MOST_SENT, MOST_BYTES = 20, 100 * MEGABYTE  # of a project, that are not imported
_BYTES = Func("data", function="octet_length", output_field=BigIntegerField())
NEW = "+"  # in place of a supplier's code


class TooManySentError(DomainError):
    """Files that nobody imports fill the database."""

    code = "too-many-sent"
    template = gettext_noop(
        "%(count)s files of this project were sent and are not imported: at most %(most)s, and %(megabytes)s MB, are kept."
        " Import or forget some of them; what nobody imports is forgotten after %(days)s days."
    )


def send_document(
    *, project: Project, user: User, typed: Mapping[str, str], data: bytes, file_name: str
) -> SentDocument:
    """Keep the file with what was said of it; a supplier that is new is kept too.

    ``typed``: supplier (a code, or "+" with supplier_name and sub_bucket), kind, number, dated, and if need be period
    (2026-09), total, currency, tax_treatment, late, credits_number. Raises NotFinanceError; InvalidInputError with a
    problem for each field, and for the field “file” when it is empty or too large; TooManySentError.
    """
    must_keep_books(user, project)
    form = Typed(typed)
    _judge_size(form, len(data))
    read = {
        "kind": form.choice("kind", frozenset(DocumentKind.values)),
        "number": form.text("number", most=120),
        "dated": form.day("dated"),
        "period": _month(form),
        "total": form.number("total", least=None, needed=False),
        "currency": form.currency("currency") if typed.get("currency", "").strip() else "",
        "tax_treatment": form.choice("tax_treatment", frozenset(Tax.values)),
        "late": typed.get("late") == "on",
        "credits_number": form.text("credits_number", most=120, needed=False),
    }
    supplier = _supplier(project, form)
    form.judge()
    forget_old()
    with transaction.atomic():
        _refuse_too_many(project, len(data))
        if supplier.pk is None:
            bucket = SubBucket(supplier.sub_bucket)
            supplier = new_supplier(project=project, name=supplier.name, sub_bucket=bucket)
        return SentDocument.objects.create(
            project=project,
            supplier=supplier,
            file_name=printable(PurePath(file_name).name)[:255],
            data=data,
            sent_by=user,
            sent_at=database_now(),
            **read,
        )


def _judge_size(form: Typed, size: int) -> None:
    try:
        check_size(size, current_limits(), Problems())
    except ImportRefusedError as refused:
        form.problems += [replace(one, column="file") for one in refused.problems]


def forget_old() -> None:
    """Afterwards no file is kept that nobody imported in time; what a worker is at stays."""
    old = SentDocument.objects.filter(sent_at__lt=database_now() - KEPT_FOR)
    old.exclude(status__in=SENT_UNDER_WAY).delete()


def _refuse_too_many(project: Project, size: int) -> None:
    """Until the end of the transaction nobody else sends a file to ``project``."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    waiting = SentDocument.objects.filter(project=project, document=None)
    sums = waiting.aggregate(files=Count("pk"), size=Sum(_BYTES, default=0))
    if sums["files"] >= MOST_SENT or sums["size"] + size > MOST_BYTES:
        raise TooManySentError(
            most=MOST_SENT, megabytes=MOST_BYTES // MEGABYTE, count=sums["files"], days=KEPT_FOR.days
        )


def try_sent(*, sent: SentDocument, user: User, progress: Progress = untold) -> Imported:
    """What importing it would do. Raises what ``import_document`` raises."""
    return import_document(incoming=_incoming(sent, user), dry_run=True, progress=progress)


def import_sent(*, sent: SentDocument, user: User, progress: Progress = untold) -> Imported:
    """Import it, and keep its mapping for the supplier's next file. Raises what ``import_document`` raises.

    It is forgotten then, but for what a worker imported: whoever waits for that is led to the document.
    """
    with transaction.atomic():
        done = import_document(incoming=_incoming(sent, user), progress=progress)
        if sent.mapping is not None:
            ColumnMapping.objects.update_or_create(
                supplier=sent.supplier,
                kind=sent.kind,
                defaults={"shape": done.shape, "columns": sent.mapping, "saved_by": user},
            )
        if sent.under_way:
            _imported(sent, done)
        else:
            sent.delete()
    return done


def _imported(sent: SentDocument, done: Imported) -> None:
    document = done.document or next(reversed(done.earlier), None)
    sent.work, sent.status = SentWork.NONE, SentStatus.IDLE
    if document is not None:
        sent.document, sent.data = document, b""
    else:
        sent.told = data_of(done)
    sent.save(update_fields=["work", "status", "document", "data", "told"])


def map_sent(*, sent: SentDocument, user: User, mapping: Mapping[str, str | list[str]]) -> None:
    """Afterwards its columns are read so. Raises NotFinanceError."""
    must_keep_books(user, sent.project)
    idle = SentDocument.objects.filter(pk=sent.pk).exclude(status__in=SENT_UNDER_WAY)
    idle.update(mapping=dict(mapping), told=None)


def _incoming(sent: SentDocument, user: User) -> Incoming:
    return Incoming(
        project=sent.project,
        supplier=sent.supplier,
        kind=DocumentKind(sent.kind),
        number=sent.number,
        dated=sent.dated,
        data=bytes(sent.data),
        file_name=sent.file_name,
        user=user,
        total=sent.total,
        currency=sent.currency,
        period=sent.period,
        mapping=sent.mapping,
        tax_treatment=Tax(sent.tax_treatment),
        late=sent.late,
        credits_number=sent.credits_number,
    )


def _month(form: Typed) -> date | None:
    text = form.values.get("period", "").strip()
    if not text:
        return None
    month = month_named(text)
    if month is None:
        form.wrong("period", "no-date", NO_DATE, typed=text[:30])
    return month


def _supplier(project: Project, form: Typed) -> Supplier:
    """The one that was chosen, or what was typed of a new one, which is not kept yet."""
    code = storable(form.values.get("supplier", "")).strip()
    found = Supplier.objects.filter(project=project, code=code).first()
    if found is not None or code != NEW:
        form.choice("supplier", frozenset({found.code} if found else ()))
        return found or Supplier()
    name = form.text("supplier_name")
    sub_bucket = form.choice("sub_bucket", frozenset(SubBucket.values))
    return Supplier(name=name, sub_bucket=sub_bucket)
