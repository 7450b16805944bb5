"""How much is played: a part in ``make test``, everything with ``ONCE_TEST_FULL=1``."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")
FULL = os.environ.get("ONCE_TEST_FULL", "") == "1"


def part(everything: T, some: T) -> T:
    """``everything`` when there is time for it."""
    return everything if FULL else some
