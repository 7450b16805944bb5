"""The samples of ``docs/samples`` as requests, for the demo and the drill."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.problems import Problems
from once_delivery.intake.attachments import FolderAttachments
from once_delivery.intake.reading import read_batch
from once_delivery.ledger.requests import BatchRequest, DeliveryRequest

AUTUMN_LAUNCH = "autumn-launch.csv"  # 10 product pages with pictures: long HTML, emoji, one right-to-left
TWELVE_LOCALES = "twelve-locales.json"  # 36 teasers: three products in twelve locales


def samples_folder() -> Path:
    """Where the sample files lie."""
    return Path(settings.BASE_DIR) / "docs" / "samples"


def autumn_launch(*, target: str, name: str = "autumn-launch", purpose: str = "") -> BatchRequest:
    """Ten product pages, each with a picture that is uploaded before its draft.

    Another ``purpose`` makes new tasks of the same products and input versions.
    """
    request = _read((samples_folder() / AUTUMN_LAUNCH).read_bytes(), AUTUMN_LAUNCH, name)
    moved = (_moved(one, target) for one in request.deliveries)
    return replace(request, deliveries=tuple(replace(one, purpose=purpose or one.purpose) for one in moved))


def sample_requests(
    locales: Sequence[str], target: str, *, purpose: str = "teaser", input_version: int = 1
) -> tuple[DeliveryRequest, ...]:
    """Three products in each of ``locales``, one draft each without pictures.

    Another ``purpose`` makes new tasks of the same products. Raises LookupError for a locale without a sample.
    """
    rows: list[dict[str, Any]] = json.loads((samples_folder() / TWELVE_LOCALES).read_bytes())
    unknown = set(locales) - {row["locale"] for row in rows}
    if unknown:
        raise LookupError(", ".join(sorted(unknown)))
    for row in rows:
        row |= {"target": target, "purpose": purpose, "input_version": input_version}
    data = json.dumps(rows).encode()
    deliveries = _read(data, TWELVE_LOCALES, purpose).deliveries
    return tuple(one for one in deliveries if one.locale in locales)


def _read(data: bytes, file_name: str, name: str) -> BatchRequest:
    limits = Limits()
    return read_batch(
        data=data,
        file_name=file_name,
        batch_name=name,
        attachments=FolderAttachments(samples_folder(), most=limits.image_bytes),
        zone=timezone.get_default_timezone(),
        limits=limits,
        problems=Problems(),
    ).request


def _moved(delivery: DeliveryRequest, target: str) -> DeliveryRequest:
    return replace(delivery, actions=tuple(replace(action, target=target) for action in delivery.actions))
