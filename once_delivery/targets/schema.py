"""JSON schemas of what people declare about targets, with errors that point to the field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from once_delivery.common.errors import InvalidInputError, Problem

_FOLDER = Path(__file__).parent / "schemas"


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(document(name))


@cache
def document(name: str) -> Mapping[str, Any]:
    """``schemas/<name>.json``; an empty object for a kind that declares nothing."""
    file = _FOLDER / f"{name}.json"
    found: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found


def validate(data: Mapping[str, Any], name: str) -> None:
    """Raise InvalidInputError listing every field of ``data`` that does not fit ``schemas/<name>.json``."""
    problems = tuple(
        Problem(
            code="schema",
            template="%(pointer)s: %(reason)s",
            params={
                "pointer": _pointer(error.absolute_path),
                "reason": error.message,
                "rule": error.validator,
                "limit": error.validator_value if isinstance(error.validator_value, int | float) else "",
                "field": _field(error),
            },
            pointer=_pointer(error.absolute_path),
        )
        for error in sorted(
            _validator(name).iter_errors(dict(data)), key=lambda error: list(map(str, error.path))
        )
    )
    if problems:
        raise InvalidInputError(problems)


def _field(error: ValidationError) -> str:
    """The pointer of what is missing, else of what does not fit."""
    path = list(error.absolute_path)
    if error.validator == "required":
        wanted: Any = error.validator_value
        path += [name for name in wanted if error.message.startswith(repr(name))][:1]
    return _pointer(path)


def _pointer(path: Any) -> str:
    return "/" + "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in path)
