"""What drills need to be there."""

from __future__ import annotations

from datetime import UTC, datetime

from once_delivery.accounts.models import Project
from once_delivery.common.canonical import fingerprint
from once_delivery.ledger.models import InputVersion, Product
from tests.builders import a_project


def a_project_with_products(code: str) -> Project:
    """Three products with an approved brief each."""
    project = a_project(code)
    for name in ("kettle", "lamp", "chair"):
        product = Product.objects.create(project=project, code=name, name=name.title())
        InputVersion.objects.create(
            project=project,
            product=product,
            number=1,
            content={"text": name},
            fingerprint=fingerprint({"text": name}),
            approved_by="marketing",
            approved_at=datetime(2026, 9, 1, tzinfo=UTC),
        )
    return project
