"""From the JSON schema of a kind to fields, and from fields back to a declaration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from once_delivery.targets import schema
from once_delivery.targets.jobs.services import names as service_names
from once_delivery.targets.jobs.services import service
from once_delivery.targets.parameter_words import words_of
from once_delivery.web.target_form.field import Field, text_of, value_of

_SIMPLE = frozenset({"string", "integer", "number"})


def fields_of(kind: str, declaration: Mapping[str, Any]) -> list[Field]:
    """A field for everything that a form can say; the rest is for the expert field."""
    return list(_fields(kind, schema.document(kind), declaration, prefix=""))


def _fields(
    kind: str, document: Mapping[str, Any], values: Mapping[str, Any], *, prefix: str
) -> Iterator[Field]:
    required = document.get("required", ())
    for name, raw in document.get("properties", {}).items():
        spec, nullable = _resolved(kind, raw)
        key = f"{prefix}{name}"
        if spec.get("type") == "object" and spec.get("properties"):
            if not prefix:
                inner = values.get(name)
                yield from _fields(kind, spec, inner if isinstance(inner, Mapping) else {}, prefix=f"{name}.")
            continue
        one = _field(kind, key, spec)
        if one is None:
            continue
        one.required = name in required and not prefix
        one.nullable, one.none = nullable, nullable and name in values and values[name] is None
        one.value = text_of(values.get(name))
        yield one


def _field(kind: str, key: str, spec: Mapping[str, Any]) -> Field | None:
    name = key.rpartition(".")[2]
    label, help_ = words_of(kind, name)
    one = Field(key=f"p.{key}", pointer="/" + key.replace(".", "/"), label=label, help=help_)
    one.type = str(spec.get("type", "string"))
    if key == "service" and kind == "jobs":
        one.widget, one.options = "choice", [(known, service(known).title) for known in service_names()]
    elif "enum" in spec:
        one.widget, one.options = (
            "choice",
            [("", _("as it comes")), *((str(v), str(v)) for v in spec["enum"])],
        )
    elif one.type == "boolean":
        one.widget = "choice"
        one.options = [("", _("as it comes")), ("true", _("yes")), ("false", _("no"))]
    elif one.type in {"integer", "number"}:
        one.widget = "number"
    elif one.type == "object":
        items, _nullable = _resolved(kind, spec.get("additionalProperties", {}))
        one.items = "string" if "enum" in items else str(items.get("type", ""))
        if one.items not in _SIMPLE:
            return None
        one.widget = "lines"
    elif one.type != "string":
        return None
    return one


def _resolved(kind: str, spec: Any) -> tuple[Mapping[str, Any], bool]:
    """A part of the schema without its references, and whether it may be null."""
    if not isinstance(spec, Mapping):
        return {}, False
    if "$ref" in spec:
        target = schema.document(kind)["$defs"][spec["$ref"].rpartition("/")[2]]
        return _resolved(kind, {**target, **{k: v for k, v in spec.items() if k != "$ref"}})
    if "oneOf" in spec:
        others = [one for one in spec["oneOf"] if one.get("type") != "null"]
        return _resolved(kind, others[0])[0], len(others) < len(spec["oneOf"])
    if isinstance(spec.get("type"), list):
        kept = [one for one in spec["type"] if one != "null"]
        return {**spec, "type": kept[0]}, "null" in spec["type"]
    return spec, False


def declaration_of(fields: list[Field], expert: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields say, with what the expert field says over it. What is empty is left to the connector."""
    found: dict[str, Any] = {}
    for one in fields:
        if not one.none and not one.value.strip():
            continue
        parent, _dot, name = one.pointer.removeprefix("/").rpartition("/")
        place = found.setdefault(parent, {}) if parent else found
        place[name] = None if one.none else value_of(one)
    return {**found, **expert}


def unsayable(fields: list[Field], declaration: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a stored declaration that no field can say."""
    said = {one.pointer.split("/")[1] for one in fields}
    return {name: value for name, value in declaration.items() if name not in said}
