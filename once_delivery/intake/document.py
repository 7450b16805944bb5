"""The JSON form of a batch: products, input versions and deliveries with their actions, checked and joined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.cells import CellError, time_of
from once_delivery.common.sheets.places import Place, pointer
from once_delivery.common.sheets.problems import Problems
from once_delivery.intake import cells
from once_delivery.intake.drafts import file_reference
from once_delivery.intake.images import Images
from once_delivery.intake.schema import check_document
from once_delivery.ledger.requests import ActionRequest, DeliveryRequest
from once_delivery.targets.base import Kind

TWICE = gettext_noop("%(what)s is described twice, here and at %(first)s.")
NOT_USED = gettext_noop("No delivery asks for %(what)s, so it would not be kept.")
OTHER_CONTENT = gettext_noop(
    "%(task)s is asked for twice with other content, here and at %(first)s. Keep one, or give the other a new "
    "input version."
)
REPEATED = gettext_noop(
    "%(count)s deliveries ask again for what an earlier one asks for: they make nothing new."
)

_Path = tuple[str | int, ...]
_VersionKey = tuple[str, int]


@dataclass(frozen=True, slots=True)
class _Version:
    brief: Mapping[str, Any]
    approved_by: str
    approved_at: datetime | None


@dataclass(slots=True)
class _Reader:
    zone: tzinfo
    images: Images
    problems: Problems
    names: dict[str, str] = field(default_factory=dict)
    versions: dict[_VersionKey, _Version] = field(default_factory=dict)
    places: dict[Any, _Path] = field(default_factory=dict)
    used: set[Any] = field(default_factory=set)
    asked: dict[tuple[Any, ...], tuple[ActionRequest, _Path]] = field(default_factory=dict)
    repeats: int = 0

    def product(self, path: _Path, said: Mapping[str, Any]) -> None:
        code = self.code(path, said, "code")
        if code is not None and self._first((code,), path, what=code):
            self.names[code] = said["name"]

    def version(self, path: _Path, said: Mapping[str, Any]) -> None:
        code = self.code(path, said, "product")
        approved_at = self._time(path, said)
        if code is None:
            return
        number = int(said["number"])
        if self._first((code, number), path, what=f"{code} v{number}"):
            brief = said["brief"]
            self.versions[code, number] = _Version(
                brief={"text": brief} if isinstance(brief, str) else brief,
                approved_by=said.get("approved_by", ""),
                approved_at=approved_at,
            )

    def delivery(self, path: _Path, said: Mapping[str, Any]) -> DeliveryRequest | None:
        before = self.problems.count
        product = self.code(path, said, "product")
        purpose = self.code(path, said, "purpose")
        locale = self._locale(path, said)
        actions = tuple(
            self._action((*path, "actions", index), action) for index, action in enumerate(said["actions"])
        )
        if product is None or purpose is None or locale is None or self.problems.count > before:
            return None
        number = int(said["input_version"])
        self.used |= {(product,), (product, number)}
        self._check_repeat((product, locale, purpose, number), actions, path)
        version = self.versions.get((product, number))
        return DeliveryRequest(
            product=product,
            product_name=self.names.get(product, ""),
            locale=locale,
            purpose=purpose,
            input_version=number,
            brief=version.brief if version else None,
            approved_by=version.approved_by if version else "",
            approved_at=version.approved_at if version else None,
            actions=actions,
            row=int(path[-1]) + 1,
        )

    def check_used(self) -> None:
        """What no delivery asks for would be lost without a word."""
        for key, path in self.places.items():
            if key not in self.used:
                self.problems.add("not-used", NOT_USED, place=_at(path), what=" v".join(map(str, key)))

    def code(self, path: _Path, said: Mapping[str, Any], name: str) -> str | None:
        try:
            return cells.code_of(said[name], name)
        except CellError as error:
            self._add(error, (*path, name))
            return None

    def _locale(self, path: _Path, said: Mapping[str, Any]) -> str | None:
        try:
            return cells.locale_of(said["locale"])
        except CellError as error:
            self._add(error, (*path, "locale"))
            return None

    def _time(self, path: _Path, said: Mapping[str, Any]) -> datetime | None:
        try:
            return time_of(said["approved_at"], self.zone) if "approved_at" in said else None
        except CellError as error:
            self._add(error, (*path, "approved_at"))
            return None

    def _action(self, path: _Path, said: Mapping[str, Any]) -> ActionRequest:
        payload = dict(said["payload"])
        kind = Kind(said["kind"])
        if kind is Kind.UPLOAD_FILE:
            file = self.images.find(payload["file"]["path"], _at((*path, "payload", "file", "path")))
            payload["file"] = file_reference(file) if file else {}
        return ActionRequest(target=said["target"], kind=kind, slot=said["slot"], payload=payload)

    def _first(self, key: tuple[Any, ...], path: _Path, *, what: str) -> bool:
        first = self.places.setdefault(key, path)
        if first != path:
            self.problems.add("described-twice", TWICE, place=_at(path), what=what, first=pointer(first))
        return first == path

    def _check_repeat(self, key: tuple[Any, ...], actions: tuple[ActionRequest, ...], path: _Path) -> None:
        again = 0
        for action in actions:
            before, first = self.asked.setdefault(
                (*key, action.target, action.kind, action.slot), (action, path)
            )
            again += before is not action
            if before != action:
                product, locale, purpose, number = key
                task = f"{product} › {locale} › {purpose} › v{number}"
                self.problems.add(
                    "row-twice", OTHER_CONTENT, place=_at(path), task=task, first=pointer(first)
                )
        self.repeats += again == len(actions)

    def _add(self, error: CellError, path: _Path) -> None:
        self.problems.add(error.code, error.template, place=_at(path), **error.params)


def read_document(
    document: Mapping[str, Any], *, zone: tzinfo, images: Images, problems: Problems
) -> tuple[DeliveryRequest, ...]:
    """The deliveries of ``document``; raises ImportRefusedError with all its problems."""
    check_document(document, problems)
    problems.stop_if_any()
    reader = _Reader(zone=zone, images=images, problems=problems)
    for index, product in enumerate(document.get("products", [])):
        reader.product(("products", index), product)
    for index, version in enumerate(document.get("input_versions", [])):
        reader.version(("input_versions", index), version)
    found = [
        reader.delivery(("deliveries", index), delivery)
        for index, delivery in enumerate(document["deliveries"])
    ]
    if not problems.count:
        reader.check_used()
    problems.stop_if_any()
    if reader.repeats:
        problems.note("repeated-rows", REPEATED, count=reader.repeats)
    return tuple(delivery for delivery in found if delivery is not None)


def _at(path: _Path) -> Place:
    return Place(pointer=pointer(path))
