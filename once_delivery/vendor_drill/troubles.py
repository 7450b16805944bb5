"""An error, kept so that it can be said in any reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from once_delivery.common.errors import DomainError


def trouble_of(error: DomainError) -> dict[str, Any]:
    """Code, template and values."""
    params = {name: value if isinstance(value, int) else str(value) for name, value in error.params.items()}
    return {"code": error.code, "template": str(error.template), "params": params}


def sentence(trouble: Mapping[str, Any]) -> str:
    """The same as a sentence; "" when there is none."""
    if not trouble:
        return ""
    return str(gettext(str(trouble["template"])) % trouble.get("params", {}))
