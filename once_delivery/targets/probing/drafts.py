"""Throw-away drafts: each says in both languages what it is."""

from __future__ import annotations

import hashlib
import secrets
import struct
import uuid
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from once_delivery.targets.base import EffectRequest, FileBytes, Kind, LookUpRequest

TITLE = "ONCE delivery probe: throw-away draft, please leave it · 探测用的临时草稿，请勿处理"
BODY = (
    "<p>This draft was made by a probe of ONCE delivery. It tests how this system treats repeated requests, "
    "and the probe removes it again.</p>"
    "<p>本草稿由 ONCE delivery 的探测创建，用来检验本系统如何处理重复请求；探测结束时会自行删除。</p>"
)
OTHER_WORDS = "other words · 另一份内容"
# 26 characters behind "once-", as every marker of ours has; these cannot be mistaken for an action's by a reader
_BEGINNING = "once-probe"
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_RANDOM = 21
_NAMESPACE = uuid.UUID("0b7a5f0e-6a0e-5c39-9a39-6d1c8f1a7e22")


@dataclass(frozen=True, slots=True)
class Draft:
    """One throw-away object to be made, with an identity that never was before."""

    marker: str
    kind: Kind
    payload: Mapping[str, Any]
    files: Mapping[str, FileBytes] = field(default_factory=dict)

    @property
    def client_id(self) -> str:
        """The ID that we choose where a target lets us."""
        return str(uuid.uuid5(_NAMESPACE, self.marker))

    def request(self, deadline_s: float, *, words: str = "", replay: bool = False) -> EffectRequest:
        """The request that makes it; ``words`` make its content another one."""
        payload = {**self.payload, "title": f"{self.payload['title']} {words}"} if words else self.payload
        return EffectRequest(
            kind=self.kind,
            marker=self.marker,
            client_id=self.client_id,
            idempotency_key=self.marker,
            payload=payload,
            deadline_s=deadline_s,
            files=self.files,
            replay=replay,
        )

    def question(self, deadline_s: float, result_id: str = "") -> LookUpRequest:
        """The look-up for it; its content is left out, so that nothing that looks alike is offered."""
        return LookUpRequest(self.kind, self.marker, self.client_id, deadline_s, result_id=result_id)


def new_marker() -> str:
    """105 random bits; nothing at any target carries it."""
    return _BEGINNING + "".join(secrets.choice(_LETTERS) for _ in range(_RANDOM))


def new_draft(kind: Kind, more: Mapping[str, Any]) -> Draft:
    """A draft or a file; ``more`` is what the target needs besides a title and a text."""
    marker = new_marker()
    title = f"{TITLE} ({marker[-6:]})"
    if kind == Kind.UPLOAD_FILE:
        picture = _picture(f"{marker}.png")
        named = {"sha256": picture.sha256, "name": picture.name, "media_type": picture.media_type}
        payload = {"title": title, "alt": title, **more, "file": named}
        return Draft(marker, kind, payload, {picture.sha256: picture})
    return Draft(marker, kind, {"body": BODY, **more, "title": title})


def _picture(name: str) -> FileBytes:
    """One grey pixel, as PNG: the smallest file that a media library takes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    data = b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)),
            chunk(b"IDAT", zlib.compress(b"\0\x80\x80\x80")),
            chunk(b"IEND", b""),
        )
    )
    return FileBytes(name, "image/png", hashlib.sha256(data).hexdigest(), data)
