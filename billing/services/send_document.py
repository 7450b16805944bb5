"""A supplier's file from a browser: kept, tried, imported. What is imported are the bytes that were tried."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import PurePath

from django.db import transaction
from django.utils.text import slugify

from billing.models import ColumnMapping, DocumentKind, SentDocument, SubBucket, Supplier, Tax
from billing.months import month_named
from billing.people import must_keep_books
from billing.services.import_document import import_document
from billing.suppliers.incoming import Imported, Incoming
from billing.typed import NO_DATE, Typed
from once_delivery.accounts.models import Project, User
from once_delivery.common.redact import storable
from once_delivery.common.sheets.characters import printable
from once_delivery.common.sheets.formats import check_size
from once_delivery.common.sheets.limits import current_limits
from once_delivery.common.sheets.problems import Problems
from once_delivery.ledger.clock import database_now

KEPT_FOR = timedelta(days=2)  # a file that nobody imported
NEW = "+"  # in place of a supplier's code


def send_document(
    *, project: Project, user: User, typed: Mapping[str, str], data: bytes, file_name: str
) -> SentDocument:
    """Keep the file with what was said of it; a supplier that is new is kept too.

    ``typed``: supplier (a code, or "+" with supplier_name and sub_bucket), kind, number, dated, and if need be period
    (2026-09), total, currency, tax_treatment, late, credits_number. Raises NotFinanceError; InvalidInputError with a
    problem for each field; ImportRefusedError for a file that is empty or too large.
    """
    must_keep_books(user, project)
    check_size(len(data), current_limits(), Problems())
    form = Typed(typed)
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
    SentDocument.objects.filter(sent_at__lt=database_now() - KEPT_FOR).delete()
    with transaction.atomic():
        if supplier.pk is None:
            own = {"name": supplier.name, "sub_bucket": supplier.sub_bucket}
            supplier, _ = Supplier.objects.get_or_create(project=project, code=supplier.code, defaults=own)
        return SentDocument.objects.create(
            project=project,
            supplier=supplier,
            file_name=printable(PurePath(file_name).name)[:255],
            data=data,
            sent_by=user,
            sent_at=database_now(),
            **read,
        )


def try_sent(*, sent: SentDocument, user: User) -> Imported:
    """What importing it would do. Raises what ``import_document`` raises."""
    return import_document(incoming=_incoming(sent, user), dry_run=True)


def import_sent(*, sent: SentDocument, user: User) -> Imported:
    """Import it, and keep its mapping for the supplier's next file. Raises what ``import_document`` raises."""
    with transaction.atomic():
        done = import_document(incoming=_incoming(sent, user))
        if sent.mapping is not None:
            ColumnMapping.objects.update_or_create(
                supplier=sent.supplier,
                kind=sent.kind,
                defaults={"shape": done.shape, "columns": sent.mapping, "saved_by": user},
            )
        sent.delete()
    return done


def map_sent(*, sent: SentDocument, user: User, mapping: Mapping[str, str | list[str]]) -> None:
    """Afterwards its columns are read so. Raises NotFinanceError."""
    must_keep_books(user, sent.project)
    SentDocument.objects.filter(pk=sent.pk).update(mapping=dict(mapping))


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
    code = storable(form.values.get("supplier", "")).strip()
    found = Supplier.objects.filter(project=project, code=code).first()
    if found is not None or code != NEW:
        form.choice("supplier", frozenset({found.code} if found else ()))
        return found or Supplier()
    name = form.text("supplier_name")
    sub_bucket = form.choice("sub_bucket", frozenset(SubBucket.values))
    code = slugify(name)[:50] or f"supplier-{Supplier.objects.filter(project=project).count() + 1}"
    return Supplier.objects.filter(project=project, code=code).first() or Supplier(
        project=project, code=code, name=name, sub_bucket=sub_bucket
    )
