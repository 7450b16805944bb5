"""What a new target begins with: a kind, perhaps a ready profile or a service, and a guard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from once_delivery.common.errors import DomainError
from once_delivery.targets.jobs.profiles import profile_of as job_profile
from once_delivery.targets.jobs.services import names as service_names
from once_delivery.targets.jobs.services import service
from once_delivery.targets.models import Target
from once_delivery.targets.parameter_words import KINDS, TITLES
from once_delivery.targets.profile import Guard
from once_delivery.targets.reasons import reasons_of
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.rest.profiles import outline, ready_names
from once_delivery.web.wording import guard_words

_OFFERED = tuple(kind for kind in KINDS if kind != "noop")
_WITHOUT_ADDRESS = frozenset({"jobs", "permit"})
_HIDDEN_READY = frozenset({"sandbox"})  # of our own drill


@dataclass(frozen=True, slots=True)
class Start:
    """``guards``: those that there are numbers for. ``named``: a declaration that names the credentials."""

    kind: str
    ready: str = ""
    guard: str = ""
    guards: tuple[tuple[str, str], ...] = ()
    numbers: Mapping[str, Any] = field(default_factory=dict)
    why: Mapping[str, Any] = field(default_factory=dict)
    declaration: Mapping[str, Any] = field(default_factory=dict)
    named: Mapping[str, Any] | None = None
    needs_address: bool = True
    title: str = ""
    evidence: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One card of the first step."""

    query: str
    title: str
    about: str
    label: str = ""


def choices() -> list[Choice]:
    """Kinds, ready profiles and services, as cards."""
    cards = [
        Choice(f"kind={kind}", str(TITLES[kind]), str(KINDS[kind])) for kind in _OFFERED if kind != "jobs"
    ]
    cards += [
        Choice(
            f"kind=rest&ready={name}",
            str(TITLES.get(name, name)),
            outline(name).about,
            str(_("from documentation, not run")),
        )
        for name in ready_names()
        if name not in _HIDDEN_READY
    ]
    return cards + [
        Choice(f"kind=jobs&service={name}", service(name).title, str(KINDS["jobs"]), str(_("simulated")))
        for name in service_names()
    ]


def start_of(kind: str, *, ready: str = "", guard: str = "", service_name: str = "") -> Start | None:
    """What a new target begins with; None when there is no such thing."""
    if kind not in _OFFERED and not (kind == "rest" and ready):
        return None
    try:
        if kind == "rest":
            return (
                _ready(ready)
                if ready
                else Start("rest", title=str(TITLES["rest"]), numbers={"guard": "lookup"})
            )
        if kind == "jobs":
            return _job(service_name)
        return _default(kind, guard)
    except DomainError:
        return None


def start_of_target(target: Target) -> Start:
    """For changing a stored one: the reasons of its defaults."""
    guard = str(target.profile_data.get("guard", ""))
    why = reasons_of(target.kind, target.declaration, guard)
    return Start(
        target.kind,
        guard=guard,
        why=why,
        title=target.kind,
        needs_address=target.kind not in _WITHOUT_ADDRESS,
    )


def _default(kind: str, guard: str) -> Start:
    profiles = default_profiles(kind)
    names = tuple((str(one), guard_words(str(one))[0]) for one in profiles)
    chosen = guard if guard in dict(names) else names[0][0] if names else ""
    found = profiles.get(Guard(chosen)) if chosen else None
    return Start(
        kind,
        guard=chosen,
        guards=names,
        numbers=found.numbers if found else {},
        why=found.why if found else {},
        needs_address=kind not in _WITHOUT_ADDRESS,
        title=str(TITLES[kind]),
    )


def _job(name: str) -> Start | None:
    if name not in service_names():
        return None
    found = job_profile(name)
    return Start(
        "jobs",
        guard=str(found.numbers["guard"]),
        numbers=found.numbers,
        why=found.why,
        declaration={"service": name},
        needs_address=False,
        title=service(name).title,
        evidence="simulated",
    )


def _ready(name: str) -> Start:
    found = outline(name)
    return Start(
        "rest",
        ready=name,
        guard=str(found.profile["guard"]),
        numbers=found.profile,
        why=found.why,
        named=found.declaration,
        needs_address=not found.base_url,
        title=str(TITLES.get(name, name)),
        evidence=found.evidence if found.evidence != "measured" else "",
        notes=found.notes,
    )
