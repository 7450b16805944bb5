"""Requests as the ledger would make them."""

from __future__ import annotations

import hashlib
import struct
import uuid
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from once_delivery.ledger.marker import ActionIdentity, client_id_of, marker_of
from once_delivery.targets.base import (
    Answer,
    Connector,
    EffectRequest,
    FileBytes,
    Kind,
    Look,
    LookUpRequest,
)
from once_delivery.targets.registry import connect
from tests.real.targets.system import Account, RealSystem

DEADLINE_S = 20.0
T = TypeVar("T")


def a_marker() -> str:
    """Of an action that never was before."""
    return marker_of(
        ActionIdentity(uuid.uuid4().hex, "kettle", "de-DE", "product-page", 1, "t", "create_draft", "main")
    )


def a_picture(red: int = 200) -> FileBytes:
    """A PNG that every system accepts."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    pixels = b"".join(b"\0" + bytes([red, 90, 40]) * 8 for _ in range(8))
    header = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    data = (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(pixels))
        + chunk(b"IEND", b"")
    )
    return FileBytes("kettle.png", "image/png", hashlib.sha256(data).hexdigest(), data)


class Asker:
    """One connector of a real system."""

    def __init__(
        self, system: RealSystem, *, base_url: str = "", account: Account = Account.DELIVERY
    ) -> None:
        self.system = system
        self.connector: Connector = connect(
            system.kind, system.connection(base_url=base_url, account=account)
        )

    def perform(
        self,
        kind: Kind,
        marker: str,
        *,
        title: str = "标题 Kessel 😀",
        deadline_s: float = DEADLINE_S,
        **extra: object,
    ) -> Answer:
        picture = a_picture()
        payload = {**self.system.payload(kind, title), **extra}
        if kind == Kind.UPLOAD_FILE:
            payload["file"] = {
                "sha256": picture.sha256,
                "name": picture.name,
                "media_type": picture.media_type,
            }
        request = EffectRequest(
            kind, marker, str(client_id_of(marker)), marker, payload, deadline_s, {picture.sha256: picture}
        )
        return self.connector.perform(request)

    def look(
        self, kind: Kind, marker: str, *, title: str = "标题 Kessel 😀", deadline_s: float = DEADLINE_S
    ) -> Look:
        request = LookUpRequest(
            kind, marker, str(client_id_of(marker)), deadline_s, payload=self.system.payload(kind, title)
        )
        return self.connector.look_up(request)


def at_once(times: int, act: Callable[[int], T]) -> list[T]:
    """``times`` calls that begin at one moment."""
    barrier = Barrier(times)

    def one(number: int) -> T:
        barrier.wait()
        return act(number)

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(one, range(times)))
