"""Jobs that take their time, and uploads that can be fetched."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import http.server
import threading
from collections.abc import Callable, Iterator

import pytest

from tests.sandbox.caller import Caller

NewCaller = Callable[..., Caller]
Wait = Callable[[Callable[[], bool]], None]
Received = list[tuple[str, bytes]]


@pytest.fixture
def webhook() -> Iterator[tuple[str, Received]]:
    """A place that receives call-backs."""
    received: Received = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.headers["X-Sandbox-Signature"], body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/hook?x=1", received
    server.shutdown()
    thread.join()
    server.server_close()


def test_job_is_queued_then_succeeds(new_caller: NewCaller, eventually: Wait) -> None:
    caller = new_caller(job_seconds=0.2)
    reply = caller.ask("POST", "/jobs", {"prompt": "write", "marker": "m-1"})
    assert (reply.status, reply.json["state"]) == (202, "queued")
    path = f"/jobs/{reply.json['id']}"
    eventually(lambda: caller.ask("GET", path).json["state"] == "succeeded")
    done = caller.ask("GET", path).json
    assert done["cost"] == {"amount": "0.0400", "currency": "USD"}
    assert done["usage"]["units"] == 1
    assert done["output"]["text"]
    assert caller.ask("GET", "/jobs?marker=m-1").json["total"] == 1


def test_call_backs_are_signed_and_may_come_twice(
    new_caller: NewCaller, eventually: Wait, webhook: tuple[str, Received]
) -> None:
    url, received = webhook
    caller = new_caller(job_seconds=0, callback_secret="s3cret")
    made = caller.ask("POST", "/jobs", {"marker": "m-1", "callback_url": url, "callback_times": 2}).json["id"]
    eventually(lambda: len(caller.ask("GET", f"/jobs/{made}").json.get("callbacks", [])) == 2)
    assert len(received) == 2
    signature, body = received[0]
    assert signature == "sha256=" + hmac.new(b"s3cret", body, hashlib.sha256).hexdigest()
    assert made.encode() in body


def test_job_may_fail(new_caller: NewCaller, eventually: Wait) -> None:
    caller = new_caller(job_seconds=0, job_outcome="failed")
    made = caller.ask("POST", "/jobs", {"marker": "m-1"}).json["id"]
    eventually(lambda: caller.ask("GET", f"/jobs/{made}").json["state"] == "failed")


def test_upload_is_served(caller: Caller) -> None:
    data = bytes(range(256))
    fields = {
        "filename": "图.png",
        "media_type": "image/png",
        "data": base64.b64encode(data).decode(),
        "marker": "u",
    }
    made = caller.ask("POST", "/uploads", fields)
    assert (made.status, made.json["size"]) == (201, 256)
    assert "data" not in made.json
    file = caller.ask("GET", f"/files/{made.json['id']}")
    assert (file.body, file.headers["content-type"]) == (data, "image/png")
    assert "sandbox" in file.headers["content-security-policy"]
    assert caller.held()[0]["content_sha256"] == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("fields", [{}, {"data": "***"}, {"data": 1}, {"data": "", "media_type": "a\r\nb"}])
def test_bad_uploads_are_refused(caller: Caller, fields: dict[str, object]) -> None:
    assert caller.ask("POST", "/uploads", fields).status == 422
    assert caller.held() == []


def test_upload_of_megabytes_in_chunks(caller: Caller) -> None:
    data = base64.b64encode(b"x" * 3_000_000)
    connection = http.client.HTTPConnection("127.0.0.1", caller.port, timeout=10)
    parts = [b'{"filename":"a","data":"', data, b'"}']
    headers = {"Authorization": f"Bearer {caller.token}"}
    connection.request("POST", f"/spaces/{caller.space}/uploads", iter(parts), headers, encode_chunked=True)
    reply = connection.getresponse()
    assert reply.status == 201
    reply.read()
    connection.close()
