"""What whoever imports says of a document, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from billing.models import DocumentKind, LineStatus, Supplier, SupplierDocument, Tax
from once_delivery.accounts.models import Project, User
from once_delivery.common.sheets.problems import Note

CREDITS = frozenset({DocumentKind.CREDIT_NOTE})
LISTED = 200  # lines that a preview tells one by one


@dataclass(frozen=True, slots=True)
class Incoming:
    """One file of one document. What is left empty is found in the file, or follows from the rest."""

    project: Project
    supplier: Supplier
    kind: DocumentKind
    number: str
    dated: date
    data: bytes
    file_name: str
    user: User | None = None
    total: Decimal | None = None  # what the paper says, without tax that can be recovered
    currency: str = ""
    period: date | None = None  # the month that it bills
    shape: str = ""
    mapping: Mapping[str, Any] | None = None  # by default the one that was kept for the supplier
    tax_treatment: Tax = Tax.RECOVERABLE  # of tax whose treatment the file does not tell
    late: bool = False  # costs of closed months are accepted as corrections
    credits_number: str = ""  # the invoice that a credit note is for
    shared_by: Sequence[Project] = ()  # an organisation's document
    weights: Mapping[int, Decimal] | None = None

    @property
    def credit_note(self) -> bool:
        """Whether its lines give back."""
        return self.kind in CREDITS

    @property
    def actor(self) -> str:
        """Who is named in the ledger."""
        return self.user.username if self.user else "import"


@dataclass(frozen=True, slots=True)
class SeenLine:
    """One line as a preview tells it; ``amount`` is functional."""

    number: int
    description: str
    request_id: str
    native: Decimal
    amount: Decimal
    status: LineStatus
    attempt_id: int | None
    matched_by: str


@dataclass(frozen=True, slots=True)
class Imported:
    """``added`` lines are new, ``known`` were there already. After a dry run nothing of it is kept.

    ``sums``: status → how many of the new lines, and their amount in our currency; they sum to ``functional_total``.
    """

    number: str
    dry_run: bool
    shape: str
    format: str
    added: int
    known: int
    currency: str
    total: Decimal
    functional_currency: str = ""
    functional_total: Decimal = Decimal(0)
    tax_total: Decimal = Decimal(0)
    rate: Decimal | None = None
    rate_day: date | None = None
    rate_source: str = ""
    posted: int = 0  # entries
    sums: Mapping[str, tuple[int, Decimal]] = field(default_factory=dict)
    lines: Sequence[SeenLine] = ()
    earlier: Sequence[SupplierDocument] = ()
    document: SupplierDocument | None = None
    notes: Sequence[Note] = ()
