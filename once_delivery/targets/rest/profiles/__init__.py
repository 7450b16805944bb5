"""Declarations and profiles that are ready to use: by guard where a target offers several, by an operator's values."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from once_delivery.common.errors import DomainError
from once_delivery.targets.rest.profiles.filling import filled, patched

_FOLDER = Path(__file__).parent
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class NoReadyProfileError(DomainError):
    """There is no such file, or no such variant in it."""

    code = "no-ready-profile"
    template = _("There is no ready profile %(name)s for the guard %(guard)s.")


@dataclass(frozen=True, slots=True)
class ReadyProfile:
    """What a target's row needs; credentials are named in ``credentials`` and given by the operator.

    ``evidence`` is ``measured`` (run against the system) or ``documentation`` (read, never run); ``documentation``
    holds the pages, ``notes`` what to know and what could not be verified, ``why`` the reason for each number.
    """

    declaration: dict[str, Any]
    profile: dict[str, Any]
    credentials: tuple[str, ...]
    base_url: str = ""
    about: str = ""
    evidence: str = "measured"
    documentation: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    why: Mapping[str, str] = field(default_factory=dict)


def ready_profile(name: str, guard: str = "", /, **values: str) -> ReadyProfile:
    """The profile of ``profiles/<name>.json`` for ``guard`` (empty: its only one), with an operator's ``values``.

    Raises NoReadyProfileError, or InvalidInputError that lists the values that are missing, unknown or malformed.
    """
    data = _data(name)
    variant = _variant(data, str(guard))
    if variant is None:
        raise NoReadyProfileError(name=name, guard=guard)
    declaration = patched(data["declaration"], variant.get("declaration", {}))
    declaration, base_url = filled(data, declaration, data.get("base_url", ""), values)
    return _made(name, data, variant, declaration, base_url)


def outline(name: str, guard: str = "") -> ReadyProfile:
    """The same before an operator's values are in it: for a form that asks for them. Raises NoReadyProfileError."""
    data = _data(name)
    variant = _variant(data, guard)
    if variant is None:
        raise NoReadyProfileError(name=name, guard=guard)
    declaration = patched(data["declaration"], variant.get("declaration", {}))
    return _made(name, data, variant, declaration, data.get("base_url", ""))


def defaults_of(name: str) -> dict[str, str]:
    """The values that a ready profile takes where an operator gives none; raises NoReadyProfileError."""
    data = _data(name)
    declared = {**data.get("parameters", {}), **data.get("choices", {})}
    return {parameter: str(spec["default"]) for parameter, spec in declared.items() if "default" in spec}


def choices_of(name: str) -> dict[str, tuple[str, ...]]:
    """The values that can only be chosen; raises NoReadyProfileError."""
    return {choice: tuple(spec["options"]) for choice, spec in _data(name).get("choices", {}).items()}


def _made(
    name: str, data: Mapping[str, Any], variant: Mapping[str, Any], declaration: dict[str, Any], base_url: str
) -> ReadyProfile:
    about = {"ready": name, "evidence": data["evidence"]} if data["evidence"] != "measured" else {}
    return ReadyProfile(
        declaration={**about, **declaration},
        profile=patched(data["profile"], variant.get("profile", {})),
        credentials=tuple(data.get("credentials", ())),
        base_url=base_url,
        about=_said(data.get("about", "")),
        evidence=data["evidence"],
        documentation=tuple(data.get("documentation", ())),
        notes=tuple(_said(note) for note in data.get("notes", ())),
        why={number: _said(reason) for number, reason in data.get("why", {}).items()},
    )


def ready_names() -> tuple[str, ...]:
    """The names of all ready profiles."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


def parameters_of(name: str) -> dict[str, str]:
    """What an operator may give for a ready profile, and what it is; raises NoReadyProfileError."""
    data = _data(name)
    declared = {**data.get("parameters", {}), **data.get("choices", {})}
    return {parameter: _said(spec["about"]) for parameter, spec in declared.items()}


def _data(name: str) -> dict[str, Any]:
    try:
        if not _NAME.fullmatch(name):
            raise FileNotFoundError
        data: dict[str, Any] = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    except OSError:
        raise NoReadyProfileError(name=name, guard="") from None
    return data


def _variant(data: Mapping[str, Any], guard: str) -> Mapping[str, Any] | None:
    if "variants" in data:
        found: Mapping[str, Any] | None = data["variants"].get(guard)
        return found
    return {} if guard in {"", data["profile"]["guard"]} else None


def _said(text: str | Mapping[str, str]) -> str:
    """A text of the file in the language of the reader."""
    if isinstance(text, str):
        return text
    chinese = (get_language() or "").lower().startswith("zh")
    return text["zh-hans"] if chinese else text["en"]
