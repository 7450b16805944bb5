"""JSON schemas of what people declare about targets, with errors that point to the field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from once_delivery.common.errors import InvalidInputError, Problem

_FOLDER = Path(__file__).parent / "schemas"


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def validate(data: Mapping[str, Any], name: str) -> None:
    """Raise InvalidInputError listing every field of ``data`` that does not fit ``schemas/<name>.json``."""
    problems = tuple(
        Problem(
            code="schema",
            template="%(pointer)s: %(reason)s",
            params={"pointer": _pointer(error.absolute_path), "reason": error.message},
            pointer=_pointer(error.absolute_path),
        )
        for error in sorted(
            _validator(name).iter_errors(dict(data)), key=lambda error: list(map(str, error.path))
        )
    )
    if problems:
        raise InvalidInputError(problems)


def _pointer(path: Any) -> str:
    return "/" + "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in path)
