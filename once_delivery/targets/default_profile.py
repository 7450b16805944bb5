"""The capability profile that a kind of target begins with: each number with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.common.errors import Text


@dataclass(frozen=True, slots=True)
class DefaultProfile:
    """``numbers`` fit ``schemas/profile.json``; ``why`` has a sentence for each of them."""

    numbers: Mapping[str, Any]
    why: Mapping[str, Text]
