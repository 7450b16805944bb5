"""Where a target is, and what its redirects become. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Upstream:
    """The one address to which a drill's requests go. ``base``: its path, without a slash at the end."""

    host: str
    port: int
    secure: bool
    base: str
    named: str  # what stands in Host

    @classmethod
    def of(cls, base_url: str) -> Upstream:
        """Raises ValueError when it is no http(s) address."""
        parts = urlsplit(base_url)
        if parts.scheme not in _PORTS or not parts.hostname:
            raise ValueError(f"not an http(s) address: {parts.scheme}")
        port = parts.port or _PORTS[parts.scheme]
        host = (
            f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname.encode("idna").decode("ascii")
        )
        named = host if port == _PORTS[parts.scheme] else f"{host}:{port}"
        return cls(parts.hostname, port, parts.scheme == "https", parts.path.rstrip("/"), named)

    def target_of(self, rest: str) -> str:
        """The request target for what follows the secret."""
        if not rest or rest.startswith("?"):
            return (self.base or "/") + rest
        return self.base + rest

    def relocated(self, location: str, door: str) -> str:
        """A redirect within the target leads through ``door`` (the proxy's own path) again; another one stays."""
        try:
            parts = urlsplit(location)
            port = parts.port or _PORTS.get(parts.scheme, 0)
        except ValueError:
            return location
        if (parts.scheme or parts.netloc) and (
            parts.scheme not in _PORTS or (parts.hostname or "") != self.host or port != self.port
        ):
            return location
        if not parts.path.startswith("/") or not (
            parts.path == self.base or parts.path.startswith(f"{self.base}/")
        ):
            return location
        rest = parts.path[len(self.base) :]
        tail = f"?{parts.query}" if parts.query else ""
        return f"{door}{rest}{tail}" + (f"#{parts.fragment}" if parts.fragment else "")
