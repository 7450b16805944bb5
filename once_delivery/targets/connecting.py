"""Open a target: its stored settings and sealed credentials become a connector."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from once_delivery.common.secrets import unseal
from once_delivery.targets.base import Connection, Connector
from once_delivery.targets.models import Target
from once_delivery.targets.registry import connect


@contextmanager
def connected(target: Target) -> Iterator[Connector]:
    """A connector of ``target``, closed at the end. Raises DomainError when its settings are not usable."""
    connector = connect(
        target.kind,
        Connection(
            base_url=target.base_url,
            declaration=target.declaration,
            credentials=unseal(bytes(target.credentials_sealed)),
            allow_inside=target.allow_inside,
        ),
    )
    try:
        yield connector
    finally:
        connector.close()
