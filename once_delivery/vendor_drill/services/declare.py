"""Write down what the vendor's lead says, with a name."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from once_delivery.accounts.models import User
from once_delivery.common.redact import storable
from once_delivery.vendor_drill.errors import BadAgreementError, NotOpenError
from once_delivery.vendor_drill.models import Declaration, VendorDrill


def declare(
    *, drill: VendorDrill, kind: str, item: str, name: str, note: str = "", user: User | None
) -> Declaration:
    """Raises NotOpenError when the drill is not open, BadAgreementError for an unknown item or an empty name."""
    if item not in drill.letters or len(item) != 1:
        raise BadAgreementError("item", item)
    said = storable(name).strip()
    if not said:
        raise BadAgreementError("name", "–")
    try:
        with transaction.atomic():
            return Declaration.objects.create(
                drill=drill,
                kind=kind,
                item=item,
                name=said[:120],
                note=storable(note).strip()[:500],
                by=user,
            )
    except IntegrityError as error:
        raise NotOpenError from error
