"""The documented services: one file each. What stands in them was read, not seen (each file says where and when)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_noop
from jsonpointer import JsonPointer

from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.targets import outcomes, schema
from once_delivery.targets.http_json.paging import Paging
from once_delivery.targets.http_json.template import Text, parse, parse_path, parse_tree
from once_delivery.targets.jobs.objects import JobMap
from once_delivery.targets.jobs.rules import Rule
from once_delivery.targets.jobs.spec import Address, Listing, Match, Read, Service, Submit

_FOLDER = Path(__file__).parent
_ORDERED = frozenset({"planted", "payload", "model", "app"})
_SUBMIT = _ORDERED | {"callback_url"}
_READ = _ORDERED | {"result_id"}


def names() -> tuple[str, ...]:
    """Every documented service."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.json")))


@cache
def service(name: str) -> Service:
    """The service of that name; raises InvalidInputError when there is none."""
    if name not in names():
        problem = Problem(
            code="unknown-service",
            template=gettext_noop("There is no generation service “%(name)s”; there are %(names)s."),
            params={"name": name, "names": ", ".join(names())},
            pointer="/service",
        )
        raise InvalidInputError((problem,))
    data = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    schema.validate(data, "jobs_service")
    return _Reader(name, data).service()


class _Reader:
    """From one file that fits the schema. A mistake in it is ours: it raises ValueError or TemplateError."""

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        self._name = name
        self._data = data

    def service(self) -> Service:
        data = self._data
        return Service(
            name=self._name,
            title=data["title"],
            base_url=data["base_url"],
            evidence=data["evidence"],
            auth=data["auth"],
            headers=_texts(data.get("headers", {}), frozenset()),
            submit=self._submit(data["submit"]),
            read=self._read(data.get("read")),
            result=self._read(data.get("result")),
            by_marker=self._read(data.get("by_marker")),
            list=self._list(data.get("list")),
            window_s=data.get("window_s"),
            call_job_id=JsonPointer(data["call"]["job_id"]) if "call" in data else None,
        )

    def _submit(self, spec: Mapping[str, Any]) -> Submit:
        rules = tuple(Rule.read(rule) for rule in spec.get("rules", ()))
        for rule in rules:
            if rule.outcome is not None and rule.outcome not in outcomes.allowed(rule.status):
                raise ValueError(f"{self._name}: {rule.status} may not mean {rule.outcome}")
        return Submit(
            address=_address(spec, _SUBMIT),
            body=parse_tree(spec["body"], _SUBMIT),
            job=self._job(spec),
            rules=rules,
            at_once=spec.get("at_once", False),
        )

    def _read(self, spec: Mapping[str, Any] | None) -> Read | None:
        if spec is None:
            return None
        return Read(
            address=_address(spec, _READ),
            job=self._job(spec),
            not_there=tuple(Rule.read(rule) for rule in spec.get("not_there", ())),
        )

    def _list(self, spec: Mapping[str, Any] | None) -> Listing | None:
        if spec is None:
            return None
        return Listing(
            address=_address(spec, _ORDERED),
            items=JsonPointer(spec["items"]),
            job=self._job(spec),
            paging=Paging.read(spec["paging"]),
            newest_first=spec.get("newest_first", False),
            match=tuple(_matches(spec.get("match", ()))),
            detail_match=tuple(_matches(spec.get("detail_match", ()))),
        )

    def _job(self, spec: Mapping[str, Any]) -> JobMap:
        declared = spec.get("job", self._data["job"])
        return JobMap.read(declared, provider=self._name, proven=self._data["evidence"]["proven"])


def _matches(declared: Any) -> Iterator[Match]:
    for one in declared:
        yield Match(
            pointers=tuple(JsonPointer(pointer) for pointer in one["pointers"]),
            value=parse(one["value"], _ORDERED),
            tells=one.get("tells", False),
            split=one.get("split", ""),
        )


def _address(spec: Mapping[str, Any], names_here: frozenset[str]) -> Address:
    return Address(
        path=parse_path(spec["path"], names_here),
        query=_texts(spec.get("query", {}), names_here),
        headers=_texts(spec.get("headers", {}), names_here),
    )


def _texts(given: Mapping[str, str], names_here: frozenset[str]) -> dict[str, Text]:
    return {name: parse(text, names_here) for name, text in given.items()}
