"""Templates with ``{{holes}}``: names are looked up, nothing is computed.

A text that is one hole takes the value as it is, with its JSON type; a hole inside a longer text takes it as
text. ``{{name?}}`` may be missing: then the field, element, parameter or header that holds it is left out.
In JSON the field ``"*"`` spreads an object: ``{"*": "{{payload}}", "marker": "{{marker}}"}`` sends all fields of
the payload, and those that stand beside it win.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

Values = Mapping[str, Any]

_HOLE = re.compile(r"\{\{\s*([a-z_]+(?:\.[A-Za-z0-9_-]+)*)(\?)?\s*\}\}")
_LEFT_OUT: Final = object()
_SPREAD = "*"
_WITH_PARTS = frozenset({"payload", "file"})
# what a path may hold unescaped, a percent sign of an escape included
_PATH_SAFE = "/:@!$&'()*+,;=~%-._"


class Segments(tuple[str, ...]):
    """A value with several segments of an address, such as a model's ``owner/name``."""

    __slots__ = ()

    def __str__(self) -> str:
        return "/".join(self)


class TemplateError(Exception):
    """A template cannot be read or filled; ``code`` is template-syntax, template-name or template-missing."""

    def __init__(self, code: str, name: str) -> None:
        super().__init__(f"{code}: {name}")
        self.code = code
        self.name = name


@dataclass(frozen=True, slots=True)
class Hole:
    """A name to look up, such as ``payload.title``."""

    path: tuple[str, ...]
    optional: bool

    def value(self, values: Values) -> Any:
        """The value, or _LEFT_OUT; raises TemplateError when there must be one."""
        found: Any = values
        for part in self.path:
            found = found.get(part, _LEFT_OUT) if isinstance(found, Mapping) else _LEFT_OUT
        if self.optional and (found is None or found is _LEFT_OUT):
            return _LEFT_OUT
        if found is _LEFT_OUT:
            raise TemplateError("template-missing", ".".join(self.path))
        return found

    def text(self, values: Values) -> Any:
        """As :meth:`value`, as text."""
        found = self.value(values)
        if isinstance(found, bool):
            return "true" if found else "false"
        if isinstance(found, str | int | float):
            return str(found)
        if found is _LEFT_OUT or isinstance(found, Segments):
            return found
        raise TemplateError("template-missing", ".".join(self.path))


@dataclass(frozen=True, slots=True)
class Text:
    """A text and its holes."""

    parts: tuple[str | Hole, ...]

    def value(self, values: Values) -> Any:
        """For JSON."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Hole):
            return self.parts[0].value(values)
        return self._join(values, str)

    def text(self, values: Values) -> str | None:
        """For a header or parameter; None when it is to be left out."""
        joined = self._join(values, str)
        return None if joined is _LEFT_OUT else str(joined)

    def path(self, values: Values) -> str:
        """For an address: values are escaped so that none can add a segment, a query or climb up."""
        joined = self._join(values, _segment)
        if joined is _LEFT_OUT or any(part in {".", ".."} for part in str(joined).split("/")):
            raise TemplateError("template-missing", "path")
        return str(joined)

    def _join(self, values: Values, escape: Callable[[str], str]) -> Any:
        texts = []
        for part in self.parts:
            text = part if isinstance(part, str) else part.text(values)
            if text is _LEFT_OUT:
                return _LEFT_OUT
            texts.append(text if isinstance(part, str) else escape(text))
        return "".join(texts)


def _segment(value: str | Segments) -> str:
    if not value:
        raise TemplateError("template-missing", "path")
    if isinstance(value, Segments):
        return "/".join(_segment(part) for part in value)
    return quote(value, safe="")


def parse(text: str, names: frozenset[str]) -> Text:
    """Read a template whose holes may begin with ``names``; raises TemplateError."""
    parts: list[str | Hole] = []
    at = 0
    for match in _HOLE.finditer(text):
        path = tuple(match[1].split("."))
        if path[0] not in names or (len(path) > 1 and path[0] not in _WITH_PARTS):
            raise TemplateError("template-name", match[1])
        parts += [text[at : match.start()], Hole(path, optional=bool(match[2]))]
        at = match.end()
    parts.append(text[at:])
    if any(isinstance(part, str) and ("{{" in part or "}}" in part) for part in parts):
        raise TemplateError("template-syntax", text[:80])
    return Text(tuple(part for part in parts if part != ""))


def parse_path(text: str, names: frozenset[str]) -> Text:
    """As :func:`parse`, with the fixed parts escaped for an address."""
    parts = parse(text, names).parts
    return Text(tuple(quote(part, safe=_PATH_SAFE) if isinstance(part, str) else part for part in parts))


def parse_tree(node: Any, names: frozenset[str]) -> Any:
    """JSON in which every text is read as a template (names of fields are not)."""
    if isinstance(node, str):
        return parse(node, names)
    if isinstance(node, Mapping):
        return {key: parse_tree(value, names) for key, value in node.items()}
    return [parse_tree(value, names) for value in node] if isinstance(node, list) else node


def names_in(node: Any) -> frozenset[str]:
    """The first names of all holes in parsed texts."""
    if isinstance(node, Text):
        return frozenset(part.path[0] for part in node.parts if isinstance(part, Hole))
    children: list[Any] = list(node.values()) if isinstance(node, Mapping) else []
    children += node if isinstance(node, list) else []
    return frozenset[str]().union(*map(names_in, children))


def _spread(node: Any, values: Values) -> dict[str, Any]:
    found = _fill(node, values)
    if found is _LEFT_OUT:
        return {}
    if not isinstance(found, Mapping):
        raise TemplateError("template-missing", f"{_SPREAD}: an object")
    return dict(found)


def fill_tree(node: Any, values: Values) -> Any:
    """The JSON of a parsed tree; raises TemplateError."""
    filled = _fill(node, values)
    return None if filled is _LEFT_OUT else filled


def _fill(node: Any, values: Values) -> Any:
    if isinstance(node, Text):
        return node.value(values)
    if isinstance(node, dict):
        pairs = [(key, _fill(value, values)) for key, value in node.items() if key != _SPREAD]
        spread = _spread(node[_SPREAD], values) if _SPREAD in node else {}
        return {**spread, **{key: value for key, value in pairs if value is not _LEFT_OUT}}
    if isinstance(node, list):
        filled = [_fill(value, values) for value in node]
        return [value for value in filled if value is not _LEFT_OUT]
    return node
