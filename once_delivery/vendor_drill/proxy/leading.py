"""The headers of an answer that name addresses of the target: through them too, the caller comes back by the proxy. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from once_delivery.vendor_drill.proxy.addresses import Upstream

_LINKED = re.compile(r"<([^<>]*)>")


@dataclass(frozen=True, slots=True)
class Leading:
    """``door``: the path that stands before those of the target. ``origin``: scheme and host by which the caller came, "" when it did not say."""

    upstream: Upstream
    door: str
    origin: str = ""

    def led(self, name: bytes, value: bytes) -> bytes:
        """``value`` of the header ``name``, as the caller is given it."""
        text = value.decode("latin-1")
        match name.lower():
            case b"location" | b"content-location":
                text = self.upstream.relocated(text, self.door)
            case b"link":
                # whole addresses, since many a client takes them as they stand
                text = _LINKED.sub(lambda found: f"<{self._whole(found[1])}>", text)
            case b"set-cookie":
                text = self._cookie(text)
            case _:
                return value
        return text.encode("latin-1")

    def _whole(self, address: str) -> str:
        return self.upstream.relocated(address, f"{self.origin}{self.door}")

    def _cookie(self, cookie: str) -> str:
        """For the door's path and host; over a line without TLS where the proxy has no other."""
        first, *attributes = cookie.split(";")
        kept = [led for one in attributes if (led := self._attribute(one))]
        return ";".join([first, *kept])

    def _attribute(self, attribute: str) -> str:
        name, _, path = attribute.partition("=")
        match name.strip().casefold():
            case "domain":
                return ""
            case "secure":
                return "" if self.origin.startswith("http:") else attribute
            case "path":
                return f" Path={self._below(path.strip())}"
            case _:
                return attribute

    def _below(self, path: str) -> str:
        base = self.upstream.base
        if f"{base}/".startswith(path.rstrip("/") + "/"):  # for all of the target, and perhaps for more
            return self.door
        return self.upstream.relocated(path, self.door)
