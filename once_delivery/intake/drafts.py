"""What a row asks for: one draft, and one upload before it when the row names a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from once_delivery.ledger.references import RESULT
from once_delivery.ledger.requests import ActionRequest
from once_delivery.targets.base import FileBytes, Kind

DRAFT_SLOT = "main"
IMAGE_SLOT = "hero-image"


def draft_actions(
    *, target: str, payload: Mapping[str, Any], image: FileBytes | None = None, alt: str = ""
) -> tuple[ActionRequest, ...]:
    """The actions of one task: the draft refers to the picture's result, so the upload comes first."""
    if image is None:
        return (ActionRequest(target=target, kind=Kind.CREATE_DRAFT, slot=DRAFT_SLOT, payload=payload),)
    upload = {"file": file_reference(image), "alt": alt}
    return (
        ActionRequest(target=target, kind=Kind.UPLOAD_FILE, slot=IMAGE_SLOT, payload=upload),
        ActionRequest(
            target=target,
            kind=Kind.CREATE_DRAFT,
            slot=DRAFT_SLOT,
            payload={**payload, "featured_media": {RESULT: IMAGE_SLOT}},
        ),
    )


def file_reference(file: FileBytes) -> dict[str, str]:
    """How a payload names bytes that are kept beside it."""
    return {"sha256": file.sha256, "name": file.name, "media_type": file.media_type}
