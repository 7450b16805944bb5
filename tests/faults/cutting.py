"""A proxy between a worker and PostgreSQL that cuts the connection around one COMMIT."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

_COMMIT = b"Q\x00\x00\x00\x0bCOMMIT\x00"
_SOCKET = ".s.PGSQL.5432"
_TAIL = 200


class CuttingProxy:
    """Cuts the first COMMIT of a transaction that holds ``statement``.

    ``committed``: the server commits and its answer is lost; otherwise the COMMIT never comes to the server.
    """

    def __init__(self, server: Path, folder: Path, *, statement: bytes, committed: bool) -> None:
        self.folder = folder
        self.cuts = 0
        self._server = server / _SOCKET
        self._statement = statement
        self._committed = committed
        self._lock = threading.Lock()
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._listening.bind(str(self.folder / _SOCKET))
        self._listening.listen(50)
        self._in_thread(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        for one in [self._listening, *self._open]:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in self._threads:
            thread.join(5.0)

    def _in_thread(self, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                server.connect(str(self._server))
                self._open |= {client, server}
                pair = _Pair(self, client, server)
                self._in_thread(pair.to_server)
                self._in_thread(pair.to_client)

    def wants(self, seen: bytes) -> bool:
        return self._statement in seen

    def takes(self) -> bool:
        """Is this the one COMMIT that is to be cut?"""
        with self._lock:
            if self.cuts:
                return False
            self.cuts += 1
            return True

    @property
    def lets_commit(self) -> bool:
        return self._committed


class _Pair:
    """One connection through the proxy."""

    def __init__(self, proxy: CuttingProxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy, self._client, self._server = proxy, client, server
        self._cut_answer = threading.Event()

    def to_server(self) -> None:
        seen, armed = b"", False
        with contextlib.suppress(OSError):
            while data := self._client.recv(65_536):
                seen = seen[-_TAIL:] + data
                armed = armed or self._proxy.wants(seen)
                if _COMMIT in data:
                    if armed and self._proxy.takes():
                        if not self._proxy.lets_commit:
                            break
                        self._cut_answer.set()
                    armed = False
                self._server.sendall(data)
        self._end()

    def to_client(self) -> None:
        with contextlib.suppress(OSError):
            while data := self._server.recv(65_536):
                if self._cut_answer.is_set():
                    break
                self._client.sendall(data)
        self._end()

    def _end(self) -> None:
        for one in (self._client, self._server):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
