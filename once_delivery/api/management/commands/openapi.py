"""Write docs/openapi.json anew, after the API has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from once_delivery.api.description import as_text


class Command(BaseCommand):
    help = "Write docs/openapi.json, the description of the API for machines."

    def handle(self, *args: Any, **options: Any) -> None:
        file = Path(settings.BASE_DIR) / "docs" / "openapi.json"
        file.write_text(as_text(), encoding="utf-8")
        self.stdout.write(str(file.relative_to(settings.BASE_DIR)))
