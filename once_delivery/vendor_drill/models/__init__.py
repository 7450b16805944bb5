"""The rows of a vendor's drill."""

from __future__ import annotations

from once_delivery.vendor_drill.models.drill import (
    OVER,
    UNDER_WAY,
    Fault,
    Recognise,
    VendorDrill,
    VendorDrillStatus,
)
from once_delivery.vendor_drill.models.record import (
    Declaration,
    Declared,
    InventoryRow,
    ItemVerdict,
    Moment,
    RecordedAnswer,
    RecordedCall,
)

__all__ = [
    "OVER",
    "UNDER_WAY",
    "Declaration",
    "Declared",
    "Fault",
    "InventoryRow",
    "ItemVerdict",
    "Moment",
    "Recognise",
    "RecordedAnswer",
    "RecordedCall",
    "VendorDrill",
    "VendorDrillStatus",
]
