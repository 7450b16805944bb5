"""Virtual environments of real servers, made once and kept while their requirements stay the same."""

from __future__ import annotations

from pathlib import Path

from once_delivery.config.house import virtual_environment as house
from tests.real.systems import CACHE, ServerFailedError


def virtual_environment(name: str, requirements: Path) -> Path:
    """The ``bin`` folder of an environment with exactly these requirements. Raises ServerFailedError."""
    try:
        return house.virtual_environment(name, requirements, CACHE)
    except house.InstallFailedError as error:
        raise ServerFailedError(str(error)) from None
