"""Suppliers' documents, and their lines beside our attempts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.shortcuts import get_object_or_404

from billing.models import LineMatch, SentDocument, Supplier, SupplierDocument, SupplierLine
from billing.selectors.queue import waiting_lines, waiting_sum
from billing.selectors.suppliers import documents_of as kept_documents
from billing.selectors.suppliers import lines_of as kept_lines
from once_delivery.accounts.models import Project, User
from once_delivery.common.digits import INTEGER, whole_number
from once_delivery.ui.paging import Page, newest_first

PAGE = 50
LINES = 200


@dataclass(frozen=True, slots=True)
class Documents:
    """One page of documents, each with ``lines_count`` and ``waiting``; and files that were sent, not imported."""

    page: Page[SupplierDocument]
    sent: tuple[SentDocument, ...]


def documents_of(project: Project, user: User, asked: Mapping[str, str]) -> Documents:
    """Newest first."""
    return Documents(
        page=newest_first(kept_documents(project), key=asked.get("before", ""), size=PAGE),
        sent=tuple(
            SentDocument.objects.filter(project=project, sent_by=user, document=None)
            .select_related("supplier")
            .defer("data")
            .order_by("-pk")
        ),
    )


def suppliers_of(project: Project) -> list[Supplier]:
    """By name."""
    return list(Supplier.objects.filter(project=project).order_by("name"))


def document_of(project: Project, uuid: UUID) -> SupplierDocument:
    """One document of this project, without its bytes, or 404."""
    return get_object_or_404(
        SupplierDocument.objects.select_related("supplier", "imported_by", "credits_document").defer("raw"),
        project=project,
        uuid=uuid,
    )


def sent_of(project: Project, user: User, uuid: UUID) -> SentDocument:
    """A file that this person sent, or 404."""
    return get_object_or_404(
        SentDocument.objects.select_related("supplier", "project", "document").defer("document__raw"),
        project=project,
        sent_by=user,
        uuid=uuid,
    )


def lines_of(document: SupplierDocument, asked: Mapping[str, str]) -> tuple[list[SupplierLine], str]:
    """A page of its lines in their order, each with its match; and the number that the next page begins after."""
    after = whole_number(asked.get("after", ""), most=INTEGER)
    found = kept_lines(document)
    if after is not None:
        found = found.filter(number__gt=after)
    rows = list(found.defer("raw", "match__attempt__action__payload").order_by("number")[: LINES + 1])
    return rows[:LINES], str(rows[LINES - 1].number) if len(rows) > LINES else ""


@dataclass(frozen=True, slots=True)
class Queue:
    """Lines that no attempt fits, or several do."""

    page: Page[LineMatch]
    waiting: int
    amount: Decimal  # of all that wait, in our currency


def queue_of(project: Project, asked: Mapping[str, str]) -> Queue:
    """Newest first; a line that was answered waits no more."""
    waiting, amount = waiting_sum(project)
    page = newest_first(waiting_lines(project), key=asked.get("before", ""), size=PAGE)
    return Queue(page, waiting, amount)
