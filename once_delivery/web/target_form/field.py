"""One field of the form: what was typed, what it means, what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Field:
    """``pointer`` is its place in the JSON. ``widget``: text, number, choice, lines, secret, json, tick.

    ``value`` is what stands in it, as typed. ``nullable``: it may be said to be none, and ``none`` says so.
    """

    key: str
    pointer: str
    label: str
    help: str = ""
    widget: str = "text"
    value: str = ""
    options: list[tuple[str, str]] = field(default_factory=list)
    required: bool = False
    nullable: bool = False
    none: bool = False
    why: str = ""
    type: str = "string"
    items: str = "string"  # of the values of lines
    errors: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        """For labels and descriptions."""
        return "f-" + self.key.replace(".", "-").replace("_", "-")

    @property
    def described_by(self) -> str:
        """IDs of what is read out with it."""
        parts = [("help", self.help), ("why", self.why), ("error", self.errors)]
        return " ".join(f"{self.id}-{name}" for name, there in parts if there)


@dataclass(slots=True)
class Group:
    """Fields under one heading."""

    title: str
    fields: list[Field]
    note: str = ""


def text_of(value: Any) -> str:
    """A stored value as it is typed."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "\n".join(f"{name} = {one}" for name, one in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def value_of(one: Field) -> Any:
    """What was typed as a JSON value; text that is no number stays text, so that the schema can say so."""
    text = one.value.strip()
    if one.widget == "lines":
        return _mapping(text, one.items)
    if one.type == "boolean":
        return {"true": True, "false": False}.get(text, text)
    if one.type in {"number", "integer"}:
        return _number(text)
    return text


def _mapping(text: str, items: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for line in text.splitlines():
        name, _sign, value = line.partition("=")
        if name.strip():
            found[name.strip()] = _number(value.strip()) if items == "integer" else value.strip()
    return found


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        return number if abs(number) < 1e15 else text  # noqa: PLR2004 - also not infinite, not NaN
    return text
