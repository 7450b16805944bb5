"""The kinds of target that there are: one line each."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError
from once_delivery.targets.base import Connection, Connector

_KINDS: dict[str, str] = {
    "rest": "once_delivery.targets.rest.connector:connect",
    "wagtail": "once_delivery.targets.wagtail.connector:connect",
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
    """Make a connector of ``kind``; raises UnknownTargetKindError, or InvalidInputError for its declaration."""
    try:
        module, _, name = _KINDS[kind].partition(":")
    except KeyError:
        raise UnknownTargetKindError(kind=kind) from None
    factory: Callable[[Connection], Connector] = getattr(import_module(module), name)
    return factory(connection)
