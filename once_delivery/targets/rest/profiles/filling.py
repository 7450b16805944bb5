"""An operator's values in a ready declaration: ``[[name]]`` in its texts and names of fields, and choices."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.errors import InvalidInputError, Problem

_PLACE = re.compile(r"\[\[([a-z_]+)\]\]")


def filled(
    data: Mapping[str, Any], declaration: Any, base_url: str, given: Mapping[str, str]
) -> tuple[dict[str, Any], str]:
    """The declaration and the address with all values in them; raises InvalidInputError."""
    parameters, choices = data.get("parameters", {}), data.get("choices", {})
    problems = tuple(_problems(parameters, choices, given))
    if problems:
        raise InvalidInputError(problems)
    for name, choice in choices.items():
        declaration = patched(declaration, choice["options"][given.get(name, choice["default"])])
    values = {name: given.get(name, spec.get("default", "")) for name, spec in parameters.items()}
    return _replaced(declaration, values), _replaced(base_url, values)


def patched(base: Any, patch: Any) -> Any:
    """JSON Merge Patch (RFC 7396): null takes away."""
    if not isinstance(patch, Mapping):
        return copy.deepcopy(patch)
    merged = dict(copy.deepcopy(base)) if isinstance(base, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = patched(merged.get(key), value)
    return merged


def _problems(
    parameters: Mapping[str, Any], choices: Mapping[str, Any], given: Mapping[str, str]
) -> Iterator[Problem]:
    for name in given:
        if name not in parameters and name not in choices:
            known = ", ".join([*parameters, *choices])
            template = gettext_noop("“%(name)s” is no value of this ready profile; there are %(known)s.")
            yield _problem("value-unknown", template, name, known=known)
    for name, spec in parameters.items():
        if name not in given and "default" not in spec:
            template = gettext_noop("This ready profile needs a value for “%(name)s”.")
            yield _problem("value-missing", template, name)
        elif name in given and not re.fullmatch(spec["pattern"], given[name]):
            template = gettext_noop("“%(value)s” cannot be a value for “%(name)s”.")
            yield _problem("value-malformed", template, name, value=given[name][:80])
    for name, choice in choices.items():
        if name in given and given[name] not in choice["options"]:
            template = gettext_noop("“%(value)s” is no choice for “%(name)s”; there are %(known)s.")
            yield _problem(
                "value-malformed", template, name, value=given[name][:80], known=", ".join(choice["options"])
            )


def _problem(code: str, template: str, name: str, **params: Any) -> Problem:
    return Problem(code, template, {"name": name, **params}, pointer=f"/set/{name}")


def _replaced(node: Any, values: Mapping[str, str]) -> Any:
    if isinstance(node, str):
        return _PLACE.sub(lambda match: values[match[1]], node)
    if isinstance(node, Mapping):
        return {_replaced(key, values): _replaced(value, values) for key, value in node.items()}
    return [_replaced(value, values) for value in node] if isinstance(node, list) else node
