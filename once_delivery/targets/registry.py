"""The kinds of target that there are: one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError
from once_delivery.targets.base import Connection, Connector
from once_delivery.targets.default_profile import DefaultProfile
from once_delivery.targets.inside import may_go_inside
from once_delivery.targets.profile import Guard

_KINDS: dict[str, str] = {
    "jobs": "once_delivery.targets.jobs.connector:connect",
    "rest": "once_delivery.targets.rest.connector:connect",
    "ghost": "once_delivery.targets.ghost.connector:connect",
    "wagtail": "once_delivery.targets.wagtail.connector:connect",
    "strapi": "once_delivery.targets.strapi.connector:connect",
    "wordpress": "once_delivery.targets.wordpress.connector:connect",
    "s3": "once_delivery.targets.s3.connector:connect",
    "directus": "once_delivery.targets.directus.connector:connect",
    "permit": "once_delivery.targets.permit.connector:connect",
    "noop": "once_delivery.targets.noop.connector:connect",
}


class UnknownTargetKindError(DomainError):
    """No connector of that name."""

    code = "unknown-target-kind"
    template = gettext_noop("There is no connector named %(kind)s.")


def kinds() -> tuple[str, ...]:
    """The names of all connectors."""
    return tuple(_KINDS)


def connect(kind: str, connection: Connection) -> Connector:
    """Make a connector of ``kind``; raises UnknownTargetKindError, or InvalidInputError for its declaration.

    It dials inside addresses only where the operator lets targets do so, whatever ``connection`` says.
    """
    try:
        module, _, name = _KINDS[kind].partition(":")
    except KeyError:
        raise UnknownTargetKindError(kind=kind) from None
    factory: Callable[[Connection], Connector] = getattr(import_module(module), name)
    inside = may_go_inside(connection.base_url, allow_inside=connection.allow_inside)
    return factory(replace(connection, allow_inside=inside))


def behind_proxy(kind: str, declaration: Mapping[str, Any], base_url: str) -> Mapping[str, Any]:
    """``declaration`` for a way to ``base_url`` through a proxy: requests that are signed go by the target's own name."""
    module = import_module(_KINDS[kind].partition(":")[0])
    changed: Callable[[Mapping[str, Any], str], Mapping[str, Any]] | None = getattr(
        module, "behind_proxy", None
    )
    return changed(declaration, base_url) if changed else declaration


def default_profiles(kind: str) -> Mapping[Guard, DefaultProfile]:
    """What a target of ``kind`` begins with, by guard; none for kinds that are declared by hand."""
    if kind not in _KINDS:
        raise UnknownTargetKindError(kind=kind)
    package = _KINDS[kind].partition(":")[0].rpartition(".")[0]
    if find_spec(f"{package}.profiles") is None:
        return {}
    found: Mapping[Guard, DefaultProfile] = getattr(import_module(f"{package}.profiles"), "PROFILES", {})
    return found
