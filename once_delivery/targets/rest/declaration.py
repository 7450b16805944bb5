"""The declaration of an API, read once: templates parsed, pointers resolved, every mistake named with its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from django.utils.translation import gettext_noop
from jsonpointer import JsonPointer

from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.common.http.message import BODY_CAP
from once_delivery.targets import outcomes, schema
from once_delivery.targets.base import Kind, Outcome
from once_delivery.targets.http_json.paging import Paging
from once_delivery.targets.http_json.template import TemplateError, Text, parse, parse_path, parse_tree
from once_delivery.targets.rest.exists import ExistsRule
from once_delivery.targets.rest.objects import ObjectMap
from once_delivery.targets.rest.spec import Address, Check, Create, Declaration, KindSpec, Listing, Read

_IDENTITY = frozenset({"marker", "client_id"})
_CREATE = _IDENTITY | {"idempotency_key", "payload", "file"}
_READ = _IDENTITY | {"result_id", "payload"}
_LIST = _IDENTITY | {"status", "payload"}
_TEMPLATE_PROBLEMS = {
    "template-name": gettext_noop("%(pointer)s: “%(name)s” cannot be used here; there are %(names)s."),
    "template-syntax": gettext_noop("%(pointer)s: “%(name)s” has braces that are no template."),
}
T = TypeVar("T")


def read_declaration(data: Mapping[str, Any], base_url: str) -> Declaration:
    """Raises InvalidInputError that lists every mistake and where it is."""
    return _read_once(json.dumps(data), base_url)


@lru_cache(maxsize=64)
def _read_once(text: str, base_url: str) -> Declaration:
    """Checking takes milliseconds and a sender connects often; the same text always means the same."""
    data = json.loads(text)
    schema.validate(data, "rest")
    reader = _Reader(data, base_url)
    declaration = reader.declaration()
    if reader.problems:
        raise InvalidInputError(tuple(reader.problems))
    return declaration


class _Reader:
    """Goes through a declaration that fits the schema and collects what a schema cannot see."""

    def __init__(self, data: Mapping[str, Any], base_url: str) -> None:
        self._data = data
        self._base_url = base_url
        self.problems: list[Problem] = []

    def declaration(self) -> Declaration:
        data = self._data
        return Declaration(
            kinds={Kind(kind): self._kind(spec, f"/kinds/{kind}") for kind, spec in data["kinds"].items()},
            headers=self._texts(data.get("headers", {}), "/headers", _IDENTITY),
            idempotency_header=data.get("idempotency_header", ""),
            body_cap=data.get("body_cap_bytes", BODY_CAP),
            html_errors=data.get("html_errors", False),
            auth=data.get("auth", {}),
            check=self._check(data["check"]) if "check" in data else None,
        )

    def _check(self, spec: Mapping[str, Any]) -> Check:
        return Check(self._address(spec, "/check", frozenset()), tuple(spec.get("statuses", ())))

    def _kind(self, spec: Mapping[str, Any], where: str) -> KindSpec:
        thing = spec["object"]
        return KindSpec(
            create=self._create(spec["create"], thing, f"{where}/create"),
            read=self._read(spec.get("read"), thing, f"{where}/read"),
            read_by_client_id=self._read(spec.get("read_by_client_id"), thing, f"{where}/read_by_client_id"),
            look_up=self._listing(spec.get("look_up"), thing, f"{where}/look_up"),
            candidates=self._listing(spec.get("candidates"), thing, f"{where}/candidates"),
            list=self._listing(spec.get("list"), thing, f"{where}/list"),
        )

    def _create(self, spec: Mapping[str, Any], thing: Mapping[str, Any], where: str) -> Create:
        encoding = spec.get("encoding", "json")
        body = self._parsed(parse_tree, spec.get("body"), f"{where}/body", _CREATE)
        if encoding == "multipart":
            body = self._texts(spec.get("fields", {}), f"{where}/fields", _CREATE)
        return Create(
            method=spec["method"],
            address=self._address(spec, where, _CREATE),
            encoding=encoding,
            body=body,
            file_field=spec.get("file_field", ""),
            answer=ObjectMap.read(spec.get("object", thing), self._base_url),
            client_chosen_id=spec.get("client_chosen_id", False),
            overrides=self._outcomes(self._data, "") | self._outcomes(spec, where),
            exists=tuple(ExistsRule.read(rule) for rule in _rules(spec, self._data)),
        )

    def _read(self, spec: Mapping[str, Any] | None, thing: Mapping[str, Any], where: str) -> Read | None:
        if spec is None:
            return None
        return Read(
            address=self._address(spec, where, _READ),
            answer=ObjectMap.read(spec.get("object", thing), self._base_url),
            not_found_is_absent=spec.get("not_found_is_absent", False),
        )

    def _listing(
        self, spec: Mapping[str, Any] | None, thing: Mapping[str, Any], where: str
    ) -> Listing | None:
        if spec is None:
            return None
        statuses = tuple(spec.get("statuses", ()))
        return Listing(
            address=self._address(spec, where, _LIST),
            items=JsonPointer(spec["items"]),
            answer=ObjectMap.read(spec.get("object", thing), self._base_url),
            statuses=statuses,
            every_status=bool(statuses) or spec.get("every_status", False),
            paging=Paging.read(spec.get("paging", {"style": "none"})),
            match=tuple(
                (JsonPointer(pointer), text)
                for pointer, text in self._texts(spec.get("match", {}), f"{where}/match", _LIST).items()
            ),
        )

    def _address(self, spec: Mapping[str, Any], where: str, names: frozenset[str]) -> Address:
        return Address(
            path=self._parsed(parse_path, spec["path"], f"{where}/path", names) or Text(()),
            query=self._texts(spec.get("query", {}), f"{where}/query", names),
            headers=self._texts(spec.get("headers", {}), f"{where}/headers", names),
        )

    def _texts(self, given: Mapping[str, str], where: str, names: frozenset[str]) -> dict[str, Text]:
        return {
            name: self._parsed(parse, text, f"{where}/{name}", names) or Text(())
            for name, text in given.items()
        }

    def _parsed(
        self, parser: Callable[[Any, frozenset[str]], T], given: Any, where: str, names: frozenset[str]
    ) -> T | None:
        try:
            return parser(given, names)
        except TemplateError as error:
            self._problem(
                error.code,
                _TEMPLATE_PROBLEMS[error.code],
                where,
                name=error.name,
                names=", ".join(sorted(names)),
            )
            return None

    def _outcomes(self, spec: Mapping[str, Any], where: str) -> dict[int, Outcome]:
        overrides = {int(status): Outcome(word) for status, word in spec.get("outcomes", {}).items()}
        for status in outcomes.laxer(overrides):
            self._problem(
                "outcome-laxer",
                gettext_noop(
                    "%(pointer)s: status %(status)s may not mean “%(outcome)s”: "
                    "the request may have been carried out."
                ),
                f"{where}/outcomes/{status}",
                status=status,
                outcome=overrides[status],
            )
        return overrides

    def _problem(self, code: str, template: str, where: str, **params: Any) -> None:
        self.problems.append(Problem(code, template, {"pointer": where, **params}, pointer=where))


def _rules(*specs: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for spec in specs:
        yield from spec.get("exists", ())
