"""What a report is about: a project, its months, by which month entries are counted, from whose point of view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any, TypeVar

from django.utils.translation import gettext_noop

from billing.months import YEARS, bounds_of, month_named
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.common.moments import meant

_Word = TypeVar("_Word", bound=StrEnum)


class Basis(StrEnum):
    """Which month an entry counts in: the one it was posted in, frozen at the close, or the one it belongs to."""

    POSTED = "posted"
    RESTATED = "restated"


class Viewpoint(StrEnum):
    """Everything that was incurred, or what the client bears."""

    FULL = "full"
    CLIENT = "client"


class Dimension(StrEnum):
    """What totals are split by. A task belongs to the batch that asked for it first, so that parts sum to the whole."""

    PRODUCT = "product"
    LOCALE = "locale"
    PURPOSE = "purpose"
    BATCH = "batch"
    MONTH = "month"


class BadScopeError(DomainError):
    """Not a scope: an unknown word, a month that is none, or a range that ends before it begins."""

    code = "bad-scope"
    template = gettext_noop("“%(value)s” is no %(field)s of a report.")


@dataclass(frozen=True, slots=True)
class ReportScope:
    """Months are their first days, both inclusive; None is without a bound. "" of a dimension is all of it.

    ``as_of``: what was posted later is left out; None is now. A task's standing (in work, given up) is that at the end
    of the last month, so that the report of a month that is over does not change with what comes after it.
    """

    project: Project
    first: date | None = None
    last: date | None = None
    basis: Basis = Basis.POSTED
    viewpoint: Viewpoint = Viewpoint.FULL
    product: str = ""
    locale: str = ""
    purpose: str = ""
    batch: str = ""
    as_of: datetime | None = None

    @property
    def ends(self) -> datetime | None:
        """The first moment after the last month, where the project is; None when it has no end."""
        return bounds_of(self.project, self.last)[1] if self.last else None

    @property
    def begins(self) -> datetime | None:
        """The first moment of the first month, where the project is."""
        return bounds_of(self.project, self.first)[0] if self.first else None

    @property
    def months(self) -> str:
        """As a file's name says it: 2026-09, 2026-09_2026-11, or to-date."""
        if self.first and self.first == self.last:
            return f"{self.first:%Y-%m}"
        if not self.first and not self.last:
            return "to-date"
        return f"{_month(self.first)}_{_month(self.last)}".strip("_")

    def of_client(self) -> ReportScope:
        """The same from the client's point of view."""
        return replace(self, viewpoint=Viewpoint.CLIENT)

    def on(self, basis: Basis) -> ReportScope:
        """The same by the other kind of month."""
        return replace(self, basis=basis)

    def filters(self) -> dict[str, str]:
        """As text, for JSON and for addresses; ``scope_of`` reads it. The project is not in it."""
        said = {
            "first": _month(self.first),
            "last": _month(self.last),
            "basis": self.basis.value,
            "viewpoint": self.viewpoint.value,
            "product": self.product,
            "locale": self.locale,
            "purpose": self.purpose,
            "batch": self.batch,
            "as_of": self.as_of.isoformat() if self.as_of else "",
        }
        return {key: value for key, value in said.items() if value}


def scope_of(project: Project, said: Mapping[str, Any]) -> ReportScope:
    """The scope that ``filters`` wrote, or that an address asks for: months as 2026-09. Raises BadScopeError."""
    text = {key: str(value).strip() for key, value in said.items()}
    found = ReportScope(
        project=project,
        first=_read_month("first", text.get("first", "")),
        last=_read_month("last", text.get("last", "")),
        basis=_read_word("basis", text.get("basis") or Basis.POSTED, Basis),
        viewpoint=_read_word("viewpoint", text.get("viewpoint") or Viewpoint.FULL, Viewpoint),
        product=text.get("product", ""),
        locale=text.get("locale", ""),
        purpose=text.get("purpose", ""),
        batch=text.get("batch", ""),
        as_of=_read_moment(text.get("as_of", "")),
    )
    if found.first and found.last and found.first > found.last:
        raise BadScopeError(field="last", value=_month(found.last))
    return found


def _month(month: date | None) -> str:
    return f"{month:%Y-%m}" if month else ""


def _read_month(field: str, text: str) -> date | None:
    if not text:
        return None
    month = month_named(text[:7])
    if month is None:
        raise BadScopeError(field=field, value=text)
    return month


def _read_moment(text: str) -> datetime | None:
    try:
        read = datetime.fromisoformat(text) if text else None
    except ValueError:
        raise BadScopeError(field="as_of", value=text) from None
    at = meant(read)
    if read is not None and (at is None or at.year not in YEARS):
        raise BadScopeError(field="as_of", value=text)
    return at


def _read_word(field: str, text: str, words: type[_Word]) -> _Word:
    try:
        return words(text)
    except ValueError:
        raise BadScopeError(field=field, value=text) from None
