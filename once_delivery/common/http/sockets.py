"""A socket on which every single operation ends with the request's deadline."""

from __future__ import annotations

import io
import select
import socket
import ssl
import time
from collections.abc import Sequence
from contextlib import suppress

from once_delivery.common.http.addresses import Address
from once_delivery.common.http.deadline import Deadline
from once_delivery.common.http.errors import NotSentError

_CHUNK = 256 * 1024


class Wire(io.RawIOBase):
    """One open connection. ``deadline`` belongs to the request that uses it now."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        super().__init__()
        self._sock = sock
        self.deadline = deadline
        self.bytes_may_have_left = False
        self.idle_since = 0.0
        self.ended = False  # the other side has said all that it will ever say

    def send_all(self, data: bytes) -> None:
        """Every byte is with the kernel; raises OSError. ``bytes_may_have_left`` says what an error means."""
        rest = memoryview(data)
        while rest:
            self._sock.settimeout(self.deadline.remaining())
            # A TLS record may be half out when SSL_write fails; a plain send that fails has taken nothing.
            if isinstance(self._sock, ssl.SSLSocket):
                self.bytes_may_have_left = True
            taken = self._sock.send(rest[:_CHUNK])
            self.bytes_may_have_left = True
            rest = rest[taken:]

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        # The time that is left, not a time for each read: a server that trickles gains nothing.
        self._sock.settimeout(self.deadline.remaining())
        size = self._sock.recv_into(buffer)
        self.ended = size == 0
        return size

    def readable(self) -> bool:
        return True

    def makefile(self, _mode: str) -> io.BufferedReader:
        """What http.client.HTTPResponse reads from; closing it leaves the connection open."""
        return _Reader(self)

    def close(self) -> None:
        with suppress(OSError):
            self._sock.close()
        super().close()

    def rest(self) -> None:
        self.idle_since = time.monotonic()
        self.bytes_may_have_left = False

    def still_good(self, idle_s: float) -> bool:
        """Nothing to read means not closed by the other side. Anything to read is an end or not for us."""
        if time.monotonic() - self.idle_since > idle_s:
            return False
        return self._quiet() and not (isinstance(self._sock, ssl.SSLSocket) and self._sock.pending())

    def ready(self) -> bool:
        """Whether a request may be written now: the other side has neither closed nor spoken before its turn.

        A TLS server may send session tickets at any time; whether it has closed cannot be seen without reading.
        """
        return isinstance(self._sock, ssl.SSLSocket) or self._quiet()

    def _quiet(self) -> bool:
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        return not poll.poll(0)


class _Reader(io.BufferedReader):
    def close(self) -> None:
        """http.client closes its file at the end of each answer; the connection lives on."""


def open_wire(
    addresses: Sequence[Address], host: str, port: int, *, deadline: Deadline, tls: ssl.SSLContext | None
) -> Wire:
    """Dial the checked addresses in turn; the certificate must fit ``host``. Raises NotSentError."""
    sock = _dial(addresses, port, deadline)
    if tls is None:
        return Wire(sock, deadline)
    try:
        sock.settimeout(deadline.remaining())
        return Wire(tls.wrap_socket(sock, server_hostname=host), deadline)
    except TimeoutError:
        sock.close()
        raise NotSentError("tls-timeout", host) from None
    except (OSError, ValueError) as error:
        sock.close()
        raise NotSentError("tls-failed", f"{host}: {_reason(error)}") from None


def _dial(addresses: Sequence[Address], port: int, deadline: Deadline) -> socket.socket:
    failure = NotSentError("connect-failed")
    for tried, address in enumerate(addresses):
        family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004 -- IP versions
        sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            # a dead first address must leave time for the others
            sock.settimeout(deadline.remaining() / (len(addresses) - tried))
            sock.connect((str(address), port))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            sock.close()
            failure = NotSentError(_code(error), f"{address}:{port}: {_reason(error)}")
        else:
            return sock
    raise failure


def _code(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return "connect-timeout"
    if isinstance(error, ConnectionRefusedError):
        return "connect-refused"
    return "connect-failed"


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    return str(getattr(error, "strerror", None) or error)
