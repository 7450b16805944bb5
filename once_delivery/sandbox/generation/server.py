"""A door on a real socket: one thread a connection, and a connection that breaks when a fault says so."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from once_delivery.sandbox.generation.faults import Fault, Faults, Kind
from once_delivery.sandbox.generation.wire import Asked, Door, Reply, parse_target
from once_delivery.sandbox.generation.world import Job

_BREAKS = frozenset({Kind.ANSWER_LOST, Kind.NEVER_DONE, Kind.LATE})
_DOES_NOTHING = frozenset({Kind.NEVER_DONE, Kind.ERROR_BEFORE, Kind.BUSY, Kind.LATE})
_CALL_S = 5.0


class Simulator:
    """A simulated service that listens; ``submits`` counts requests that would start a job, whatever became of them."""

    def __init__(self, door: Door, *, host: str = "127.0.0.1", port: int = 0) -> None:
        self.door = door
        self.world = door.world
        self.faults = Faults()
        self.submits: list[Asked] = []
        self.reads: list[Asked] = []
        self.deliveries = 1  # how often each call is made
        self._timers: list[threading.Timer] = []
        self._server = _Server((host, port), self)
        self.url = f"http://{host}:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.world.on_made = self._announce

    def start(self) -> Simulator:
        self._thread.start()
        return self

    def close(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def serve(self, asked: Asked) -> tuple[Reply | None, Fault | None]:
        """What comes back; None: nothing does."""
        submit = self.door.is_submit(asked)
        (self.submits if submit else self.reads).append(asked)
        fault = self.faults.take(submit=submit)
        if fault is None:
            return (self.door.busy() if self.world.over_the_rate() else self.door.answer(asked)), None
        reply = None if fault.kind in _DOES_NOTHING else self.door.answer(asked)
        if fault.kind is Kind.LATE:
            self._later(fault.seconds, self.door.answer, asked)
        if fault.kind is Kind.BUSY:
            reply = self.door.busy()
        if fault.kind is Kind.ERROR_BEFORE:
            reply = Reply(500, {"error": "internal"})
        if fault.kind is Kind.ERROR_AFTER:
            reply = Reply(502, {"error": "bad gateway"})
        return (None if fault.kind in _BREAKS else reply), fault

    def _announce(self, job: Job) -> None:
        """Call the job's address when it ends."""
        if job.callback_url:
            self._later(max(0.0, job.ends - self.world.now()), self.call, job)

    def _later(self, seconds: float, work: Any, *values: Any) -> None:
        timer = threading.Timer(seconds, work, values)
        timer.daemon = True
        self._timers.append(timer)
        timer.start()

    def call(self, job: Job) -> None:
        """Tell the job's address that it has ended, as often as this service repeats itself."""
        body = json.dumps(self.door.call(job)).encode()
        for _ in range(self.deliveries):
            with contextlib.suppress(OSError, http.client.HTTPException):
                _post(job.callback_url, body)


def _post(url: str, body: bytes) -> None:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_CALL_S)
    try:
        connection.request("POST", parts.path, body, {"Content-Type": "application/json"})
        connection.getresponse().read()
    finally:
        connection.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], simulator: Simulator) -> None:
        self.simulator = simulator
        super().__init__(address, _Handler)


class _Handler(BaseHTTPRequestHandler):
    """Reads a request whole, and does with its connection what the simulator says."""

    server: _Server
    protocol_version = "HTTP/1.1"
    wbufsize = 65_536  # head and body in one packet

    def log_message(self, *_: Any) -> None:
        """Nothing: what came in is in ``submits`` and ``reads``."""

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        simulator = self.server.simulator
        path, query = parse_target(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", "0")))
        asked = Asked(self.command, path, query, headers, body, simulator.url)
        reply, fault = simulator.serve(asked)
        if reply is None:
            self._break()
        else:
            self._send(reply, cut=fault is not None and fault.kind is Kind.CUT)

    def _send(self, reply: Reply, *, cut: bool) -> None:
        body = json.dumps(reply.document, ensure_ascii=False).encode()
        self.send_response(reply.status)
        for name, value in {"Content-Type": "application/json", **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self._break()

    def _break(self) -> None:
        """Break the connection: the caller gets a reset, not an end."""
        self.wfile.flush()
        time.sleep(0.02)  # what was written must arrive before the reset wipes it
        with contextlib.suppress(OSError):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
