"""The JSON schema of a batch document; what does not fit is told in our words, with a pointer to it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, cast

from django.utils.translation import gettext_noop
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from once_delivery.common.sheets.places import Place, pointer
from once_delivery.common.sheets.problems import Problems

SCHEMA = Path(__file__).parent / "schemas" / "batch.json"

MISSING = gettext_noop("“%(key)s” is missing here.")
UNKNOWN = gettext_noop("“%(key)s” is not known here. Did you mean “%(nearest)s”?")
UNKNOWN_FAR = gettext_noop("“%(key)s” is not known here. Known are: %(known)s.")
TYPE = gettext_noop("%(wanted)s is expected here.")
ONE_OF = gettext_noop("“%(value)s” is not one of: %(known)s.")
TOO_FEW = gettext_noop("This must not be empty.")
TOO_MUCH = gettext_noop("This is longer than %(most)s.")
OUT_OF_RANGE = gettext_noop("%(value)s is not in the range from %(least)s to %(most)s.")
OTHER = gettext_noop("This does not fit the schema (%(rule)s).")

_Told = tuple[str, str, dict[str, Any]]


def check_document(document: Mapping[str, Any], problems: Problems) -> None:
    """Add a problem for everything in ``document`` that does not fit ``schemas/batch.json``."""
    for error in _validator().iter_errors(document):
        path = list(error.absolute_path)
        for told_path, (code, template, params) in _told(error, path):
            problems.add(code, template, place=Place(pointer=pointer(told_path)), **params)


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def _told(error: ValidationError, path: list[str | int]) -> Iterator[tuple[list[str | int], _Told]]:
    rule, wanted = str(error.validator), cast("Any", error.validator_value)
    schema, instance = cast("dict[str, Any]", error.schema), cast("Any", error.instance)
    match rule:
        case "required":
            # the library reports each missing key as an error of its own, but names it only in its message
            for key in wanted:
                if key not in instance and f"'{key}' is" in error.message:
                    yield path, ("missing-key", MISSING, {"key": key})
        case "additionalProperties":
            for key in sorted(instance.keys() - schema["properties"].keys()):
                yield [*path, key], _unknown(key, list(schema["properties"]))
        case _:
            yield path, _simple(rule, wanted, schema, str(instance)[:80])


def _simple(rule: str, wanted: Any, schema: dict[str, Any], value: str) -> _Told:
    match rule:
        case "type":
            names = wanted if isinstance(wanted, list) else [wanted]
            return "wrong-type", TYPE, {"wanted": " / ".join(names)}
        case "enum":
            return "unknown-value", ONE_OF, {"value": value, "known": ", ".join(wanted)}
        case "minLength" | "minItems" | "minProperties":
            return "empty-value", TOO_FEW, {}
        case "maxLength" | "maxItems":
            return "too-long", TOO_MUCH, {"most": wanted}
        case "minimum" | "maximum":
            return (
                "bad-number",
                OUT_OF_RANGE,
                {"value": value, "least": schema["minimum"], "most": schema["maximum"]},
            )
    return "schema", OTHER, {"rule": rule}


def _unknown(key: str, known: list[str]) -> _Told:
    close = get_close_matches(key, known, n=1)
    if close:
        return "unknown-key", UNKNOWN, {"key": key[:80], "nearest": close[0]}
    return "unknown-key", UNKNOWN_FAR, {"key": key[:80], "known": ", ".join(known)}
