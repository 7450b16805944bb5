"""Keep which column of a supplier's file is which field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop

from billing.models import ColumnMapping, DocumentKind, Supplier
from billing.people import must_keep_books
from billing.suppliers.fields import BY_NAME
from billing.suppliers.mapping import IGNORED
from billing.suppliers.shapes import Shape
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError


class BadMappingError(DomainError):
    """Names no field, or the amount is missing."""

    code = "bad-mapping"
    template = gettext_noop(
        "“%(name)s” does not fit: each field is one column, and one of them is the amount."
    )


def save_mapping(
    *,
    project: Project,
    supplier: Supplier,
    kind: DocumentKind,
    columns: Mapping[str, Any],
    user: User,
    shape: Shape = Shape.COLUMNS,
) -> ColumnMapping:
    """Afterwards files of this supplier and kind are read so; what was kept before is replaced.

    ``columns``: field → heading, and ``ignored`` → headings that mean nothing. Raises NotFinanceError, BadMappingError.
    """
    must_keep_books(user, project)
    if supplier.project_id != project.pk:
        raise BadMappingError(name=supplier.code)
    for name, heading in columns.items():
        if name != IGNORED and (name not in BY_NAME or not isinstance(heading, str) or not heading.strip()):
            raise BadMappingError(name=name)
    if shape is Shape.COLUMNS and columns and "amount" not in columns:
        raise BadMappingError(name="amount")
    kept, _ = ColumnMapping.objects.update_or_create(
        supplier=supplier,
        kind=kind,
        defaults={"columns": dict(columns), "shape": shape, "saved_by": user},
    )
    return kept
