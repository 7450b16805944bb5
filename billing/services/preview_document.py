"""Say what an import would do, and what stands in its way."""

from __future__ import annotations

from billing.services.import_document import import_document
from billing.suppliers.incoming import Imported, Incoming


def preview_document(*, incoming: Incoming) -> Imported:
    """What ``import_document`` would keep, match and post, tried on the real books and undone. Raises what it raises."""
    return import_document(incoming=incoming, dry_run=True)
