"""The products that a drill writes about."""

from __future__ import annotations

from once_delivery.accounts.models import Project
from once_delivery.drill.errors import ProductsMissingError
from once_delivery.drill.scenario import ProductName
from once_delivery.ledger.models import InputVersion, Product


def three_products(project: Project) -> list[ProductName]:
    """The first three that have an approved input version 1; raises ProductsMissingError."""
    approved = InputVersion.objects.filter(project=project, number=1).values_list("product_id", flat=True)
    found = [
        ProductName(code, name)
        for code, name in Product.objects.filter(pk__in=approved)
        .order_by("pk")
        .values_list("code", "name")[:3]
    ]
    if len(found) < 3:  # noqa: PLR2004 - A, B and C
        raise ProductsMissingError(project=project.code, count=len(found))
    return found
