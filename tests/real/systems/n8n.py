"""n8n 2.41 on SQLite, with an owner, an API key, and the doors that its editor uses.

No runner is started for Code nodes (147 MB): the workflows of the tests and the templates have none.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.real.systems import ServerFailedError
from tests.real.systems.node import installed, node, node_environment
from tests.real.systems.process import ServerProcess, free_port

FILES = Path(__file__).with_name("n8n_files")
NODE_24 = "24.22.3"
NATIVE = ("sqlite3", "isolated-vm")
START_S = 180
PATIENCE_S = 60.0
OWNER = {"email": "owner@example.com", "password": "For-tests-0nly"}
# at work, or resting until a time or a call comes
UNFINISHED = frozenset({"new", "running", "waiting"})


@dataclass(frozen=True, slots=True)
class Execution:
    """One execution, as n8n's own API tells it; ``data`` has what each node gave out."""

    id: str
    status: str
    mode: str
    data: Mapping[str, Any]

    def items_of(self, node_name: str) -> list[dict[str, Any]]:
        """What a node gave out, of all of its runs and outputs."""
        runs = self.data.get("resultData", {}).get("runData", {}).get(node_name, [])
        outputs = [output for run in runs for output in run.get("data", {}).get("main", []) if output]
        return [item["json"] for output in outputs for item in output]


@dataclass(slots=True)
class N8nServer:
    """A running n8n."""

    base_url: str
    cookie: str  # of the owner's session, as the editor has it
    api_key: str
    folder: Path
    process: ServerProcess

    def crash(self) -> None:
        """It is killed, and started again on what it has kept."""
        self.process.kill()
        self.process = _start(self.folder, self.base_url)

    def api(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """One request to the public API."""
        return _ask(self.base_url, method, f"/api/v1{path}", body, {"X-N8N-API-KEY": self.api_key})

    def rest(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """One request as the editor makes it for its owner."""
        return _ask(self.base_url, method, f"/rest{path}", body, {"Cookie": self.cookie, **BROWSER})

    def add_header_credential(self, name: str, header: str, value: str) -> str:
        """A credential of the type Header Auth; its ID."""
        made = {"name": name, "type": "httpHeaderAuth", "data": {"name": header, "value": value}}
        return str(_expect(self.api("POST", "/credentials", made))["id"])

    def add_workflow(self, workflow: Mapping[str, Any]) -> str:
        """Import a workflow and make it live; its ID."""
        workflow_id = str(_expect(self.api("POST", "/workflows", workflow))["id"])
        _expect(self.api("POST", f"/workflows/{workflow_id}/activate", {}))
        return workflow_id

    def drop_workflow(self, workflow_id: str) -> None:
        """Take it and its executions away."""
        self.api("POST", f"/workflows/{workflow_id}/deactivate", {})
        self.api("DELETE", f"/workflows/{workflow_id}")

    def call_webhook(self, path: str, body: Any) -> int:
        """Start a workflow; the status. Right after a workflow was made live, its webhook is not known for a moment."""
        until = time.monotonic() + PATIENCE_S
        while True:
            status, _ = _ask(self.base_url, "POST", f"/webhook/{path}", body, {})
            if status != http.HTTPStatus.NOT_FOUND or time.monotonic() > until:
                return status
            time.sleep(0.1)

    def executions(self, workflow_id: str) -> list[Execution]:
        """The executions of a workflow, the first one first, without their data."""
        found = _expect(self.api("GET", f"/executions?workflowId={workflow_id}&limit=250"))["data"]
        return sorted((_execution(one) for one in found), key=lambda one: int(one.id))

    def execution(self, execution_id: str) -> Execution:
        """One of them with its data."""
        return _execution(_expect(self.api("GET", f"/executions/{execution_id}?includeData=true")))

    def settled(
        self, workflow_id: str, count: int, *, seconds: float = PATIENCE_S, waits: bool = False
    ) -> list[Execution]:
        """All executions of a workflow as soon as there are ``count`` and none is at work.

        With ``waits`` one that rests counts as settled. Raises ServerFailedError.
        """
        unfinished = UNFINISHED - {"waiting"} if waits else UNFINISHED
        until = time.monotonic() + seconds
        while True:
            found = self.executions(workflow_id)
            if len(found) >= count and not any(one.status in unfinished for one in found):
                return [self.execution(one.id) for one in found]
            if time.monotonic() > until:
                raise ServerFailedError(f"not settled: {[(one.id, one.status) for one in found]}")
            time.sleep(0.1)

    def retry(self, execution_id: str) -> int:
        """What the button *Retry* does; the status of n8n's answer, which comes when the retry is over."""
        body = {"loadWorkflow": False}  # “with original workflow”
        return self.rest("POST", f"/executions/{execution_id}/retry", body)[0]

    def stop_all(self, workflow_id: str) -> int:
        """End every execution of a workflow that is at work or rests; how many there were."""
        wanted = {"filter": {"workflowId": workflow_id, "status": sorted(UNFINISHED)}}
        return int(_expect(self.rest("POST", "/executions/stopMany", wanted))["data"]["stopped"])


BROWSER = {"browser-id": "tests"}


@contextlib.contextmanager
def running_n8n(folder: Path) -> Iterator[N8nServer]:
    """A fresh one with its owner. Raises ServerFailedError."""
    base_url = f"http://127.0.0.1:{free_port()}"
    server = N8nServer(base_url, "", "", folder, _start(folder, base_url))
    try:
        server.cookie = _set_up(base_url)
        server.api_key = _api_key(base_url, server.cookie)
        yield server
    finally:
        server.process.stop()


def _start(folder: Path, base_url: str) -> ServerProcess:
    tree = installed("n8n", FILES, rebuild=NATIVE, version=NODE_24)
    command = [str(node(NODE_24) / "node"), str(tree / "node_modules" / "n8n" / "bin" / "n8n"), "start"]
    process = ServerProcess(command, log=folder / "n8n.log", env=_environment(folder, base_url))
    process.wait_until_ready(f"{base_url}/healthz/readiness", seconds=START_S)
    return process


def _environment(folder: Path, base_url: str) -> dict[str, str]:
    parts = urlsplit(base_url)
    return {
        **node_environment(NODE_24),
        "N8N_USER_FOLDER": str(folder),
        "TMPDIR": str(folder),
        "DB_TYPE": "sqlite",
        "N8N_HOST": str(parts.hostname),
        "N8N_PORT": str(parts.port),
        "N8N_LISTEN_ADDRESS": str(parts.hostname),
        "N8N_PROTOCOL": "http",
        "N8N_SECURE_COOKIE": "false",
        "N8N_ENCRYPTION_KEY": "for-tests-only-for-tests-only",
        "N8N_RUNNERS_MODE": "external",
        "N8N_RUNNERS_AUTH_TOKEN": "for-tests-only",
        "N8N_RUNNERS_BROKER_PORT": str(free_port()),
        "N8N_RUNNERS_BROKER_LISTEN_ADDRESS": "127.0.0.1",
        "GENERIC_TIMEZONE": "UTC",
        "N8N_DEFAULT_LOCALE": "en",
        # every execution is kept with its data
        "EXECUTIONS_DATA_SAVE_ON_ERROR": "all",
        "EXECUTIONS_DATA_SAVE_ON_SUCCESS": "all",
        "EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS": "true",
        # nothing goes out
        "N8N_DIAGNOSTICS_ENABLED": "false",
        "N8N_VERSION_NOTIFICATIONS_ENABLED": "false",
        "N8N_TEMPLATES_ENABLED": "false",
        "N8N_PERSONALIZATION_ENABLED": "false",
        "N8N_HIRING_BANNER_ENABLED": "false",
        "N8N_LICENSE_AUTO_RENEW_ENABLED": "false",
    }


def _set_up(base_url: str) -> str:
    owner = {**OWNER, "firstName": "Owner", "lastName": "Of tests"}
    _expect(_ask(base_url, "POST", "/rest/owner/setup", owner, BROWSER))
    login = {"emailOrLdapLoginId": OWNER["email"], "password": OWNER["password"]}
    status, _, headers = _exchange(base_url, "POST", "/rest/login", login, BROWSER)
    cookie = headers.get("set-cookie", "").partition(";")[0]
    if status != http.HTTPStatus.OK or not cookie:
        raise ServerFailedError(f"no session: {status}")
    return cookie


def _api_key(base_url: str, cookie: str) -> str:
    signed_in = {"Cookie": cookie, **BROWSER}
    scopes = _expect(_ask(base_url, "GET", "/rest/api-keys/scopes", None, signed_in))["data"]
    asked = {"label": "tests", "expiresAt": None, "scopes": scopes}
    key: str = _expect(_ask(base_url, "POST", "/rest/api-keys", asked, signed_in))["data"]["rawApiKey"]
    return key


def _execution(told: Mapping[str, Any]) -> Execution:
    return Execution(str(told["id"]), told["status"], told["mode"], told.get("data") or {})


def _ask(base_url: str, method: str, path: str, body: Any, headers: Mapping[str, str]) -> tuple[int, Any]:
    return _exchange(base_url, method, path, body, headers)[:2]


def _exchange(
    base_url: str, method: str, path: str, body: Any, headers: Mapping[str, str]
) -> tuple[int, Any, dict[str, str]]:
    connection = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=PATIENCE_S)
    try:
        sent = json.dumps(body) if body is not None else None
        connection.request(method, path, sent, {"Content-Type": "application/json", **headers})
        response = connection.getresponse()
        data = response.read()
        said = {name.lower(): value for name, value in response.getheaders()}
    finally:
        connection.close()
    is_json = "json" in said.get("content-type", "")
    return response.status, json.loads(data) if is_json and data else data.decode(errors="replace"), said


def _expect(answer: tuple[int, Any]) -> Any:
    if answer[0] not in range(200, 300):
        raise ServerFailedError(f"{answer[0]}: {str(answer[1])[:1000]}")
    return answer[1]
