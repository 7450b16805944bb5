"""The declaration of an API, read once: templates parsed, pointers resolved, every mistake named with its place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext_noop
from jsonpointer import JsonPointer

from once_delivery.common.errors import InvalidInputError
from once_delivery.common.http.message import BODY_CAP
from once_delivery.targets import schema
from once_delivery.targets.base import Kind, Outcome
from once_delivery.targets.http_json.paging import Paging
from once_delivery.targets.http_json.template import names_in, parse_tree
from once_delivery.targets.rest.objects import ObjectMap
from once_delivery.targets.rest.parts import Parts
from once_delivery.targets.rest.rules import Rule
from once_delivery.targets.rest.spec import (
    After,
    Check,
    Declaration,
    Effect,
    KindSpec,
    Listing,
    Read,
    Remove,
    Since,
)
from once_delivery.targets.rest.times import TimeFormat

_IDENTITY = frozenset({"marker", "client_id"})
_CREATE = _IDENTITY | {"idempotency_key", "payload", "file"}
_VERSION = frozenset({"version", "version_number"})
_UPDATE = _VERSION | {"marker", "result_id", "payload"}
_REMOVE = frozenset({"result_id"})
_READ = _IDENTITY | {"result_id", "payload"}
_LIST = _IDENTITY | {"status", "payload"}
# somebody has changed it meanwhile: look
_CHANGED = {412: Outcome.EXISTS}


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


class _Reader(Parts):
    """Goes through a declaration that fits the schema."""

    def __init__(self, data: Mapping[str, Any], base_url: str) -> None:
        super().__init__()
        self._data = data
        self._base_url = base_url
        self._common_outcomes = self.outcomes(data, "")
        self._common_rules = self.rules(data, "")

    def declaration(self) -> Declaration:
        data = self._data
        return Declaration(
            kinds={Kind(kind): self._kind(spec, f"/kinds/{kind}") for kind, spec in data["kinds"].items()},
            headers=self.texts(data.get("headers", {}), "/headers", _IDENTITY),
            idempotency_header=data.get("idempotency_header", ""),
            body_cap=data.get("body_cap_bytes", BODY_CAP),
            html_errors=data.get("html_errors", False),
            auth=data.get("auth", {}),
            check=self._check(data["check"]) if "check" in data else None,
            read_errors=tuple(Rule.read(rule, code="read-error") for rule in data.get("read_errors", ())),
        )

    def _check(self, spec: Mapping[str, Any]) -> Check:
        return Check(self.query(spec, "/check", frozenset()), tuple(spec.get("statuses", ())))

    def _kind(self, spec: Mapping[str, Any], where: str) -> KindSpec:
        thing = spec["object"]
        create = self._create(spec["create"], thing, f"{where}/create")
        read = self._read(spec.get("read"), thing, f"{where}/read")
        return KindSpec(
            create=create,
            update=self._update(spec["update"], thing, read, f"{where}/update") if "update" in spec else None,
            remove=self._remove(spec["remove"], f"{where}/remove") if "remove" in spec else None,
            read=read,
            read_by_client_id=self._read(spec.get("read_by_client_id"), thing, f"{where}/read_by_client_id"),
            look_up=self._listing(spec.get("look_up"), thing, f"{where}/look_up"),
            candidates=self._listing(spec.get("candidates"), thing, f"{where}/candidates"),
            list=self._listing(spec.get("list"), thing, f"{where}/list"),
        )

    def _create(self, spec: Mapping[str, Any], thing: Mapping[str, Any], where: str) -> Effect:
        encoding = spec.get("encoding", "json")
        body = self.parsed(parse_tree, spec.get("body"), f"{where}/body", _CREATE)
        if encoding == "multipart":
            body = self.texts(spec.get("fields", {}), f"{where}/fields", _CREATE)
        return Effect(
            method=spec["method"],
            address=self.address(spec, where, _CREATE),
            encoding=encoding,
            body=body,
            file_field=spec.get("file_field", ""),
            answer=ObjectMap.read(spec.get("object", thing), self._base_url),
            client_chosen_id=spec.get("client_chosen_id", False),
            overrides=self._common_outcomes | self.outcomes(spec, where),
            rules=self.rules(spec, where) + self._common_rules,
        )

    def _update(
        self, spec: Mapping[str, Any], thing: Mapping[str, Any], read: Read | None, where: str
    ) -> Effect:
        update = Effect(
            method=spec["method"],
            address=self.address(spec, where, _UPDATE),
            encoding="json",
            body=self.parsed(parse_tree, spec["body"], f"{where}/body", _UPDATE),
            file_field="",
            answer=ObjectMap.read(spec.get("object", thing), self._base_url),
            client_chosen_id=False,
            overrides=_CHANGED | self._common_outcomes | self.outcomes(spec, where),
            rules=self.rules(spec, where) + self._common_rules,
        )
        address = update.address
        if not _VERSION & names_in([address.path, address.query, address.headers, update.body]):
            template = gettext_noop(
                "%(pointer)s: an update must send the version that it is for (“{{version}}”), so that the target "
                "refuses it when somebody has changed the draft since."
            )
            self.problem("update-unguarded", template, where)
        if read is None or not (read.answer.has_version and read.answer.content):
            template = gettext_noop(
                "%(pointer)s: an update needs a “read” whose object names its “version” and its “content”; "
                "nobody could tell otherwise whether it was done."
            )
            self.problem("update-needs-read", template, where)
        return update

    def _remove(self, spec: Mapping[str, Any], where: str) -> Remove:
        return Remove(
            method=spec.get("method", "DELETE"),
            address=self.address(spec, where, _REMOVE),
            body=self.parsed(parse_tree, spec["body"], f"{where}/body", _REMOVE) if "body" in spec else None,
            overrides=self._common_outcomes | self.outcomes(spec, where),
            rules=self.rules(spec, where) + self._common_rules,
        )

    def _read(self, spec: Mapping[str, Any] | None, thing: Mapping[str, Any], where: str) -> Read | None:
        if spec is None:
            return None
        return Read(
            query=self.query(spec, where, _READ),
            answer=ObjectMap.read(spec.get("object", thing), self._base_url),
            not_found_is_absent=spec.get("not_found_is_absent", False),
            absent=tuple(Rule.read(rule) for rule in spec.get("absent", ())),
        )

    def _listing(
        self, spec: Mapping[str, Any] | None, thing: Mapping[str, Any], where: str
    ) -> Listing | None:
        if spec is None:
            return None
        statuses = tuple(spec.get("statuses", ()))
        return Listing(
            query=self.query(spec, where, _LIST),
            items=JsonPointer(spec["items"]),
            answer=ObjectMap.read(spec.get("object", thing), self._base_url),
            statuses=statuses,
            every_status=bool(statuses) or spec.get("every_status", False),
            paging=Paging.read(spec.get("paging", {"style": "none"})),
            match=tuple(
                (JsonPointer(pointer), text)
                for pointer, text in self.texts(spec.get("match", {}), f"{where}/match", _LIST).items()
            ),
            since=self._since(spec.get("changed_since"), f"{where}/changed_since"),
            after=self._after(spec.get("after"), statuses, f"{where}/after"),
        )

    def _since(self, spec: Mapping[str, Any] | None, where: str) -> Since | None:
        if spec is None:
            return None
        parameters = self.texts(spec["query"], f"{where}/query", frozenset({"changed_since"}))
        return Since(parameters, TimeFormat(spec.get("format", TimeFormat.ISO)))

    def _after(self, spec: Mapping[str, Any] | None, statuses: tuple[str, ...], where: str) -> After | None:
        if spec is None:
            return None
        if len(statuses) > 1:
            template = gettext_noop(
                "%(pointer)s: a list that is asked status by status has no one order to go on in."
            )
            self.problem("after-without-order", template, where)
        parameters = self.texts(spec["query"], f"{where}/query", frozenset({"after"}))
        return After(JsonPointer(spec["place"]), parameters)
