"""The clock of generation jobs: each is finished when it is due, and its caller is told."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import http.client
import logging
import sqlite3
from typing import Any
from urllib.parse import urlsplit

from once_delivery.sandbox import clock
from once_delivery.sandbox.answers import dump
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.objects import Objects, Stored
from once_delivery.sandbox.spaces import Space, Spaces
from once_delivery.sandbox.storage import Store

SIGNATURE = "X-Sandbox-Signature"
_TIMEOUT_S = 5.0
_log = logging.getLogger(__name__)


class JobClock:
    """Finishes jobs on time, also those that were waiting when the process died."""

    def __init__(self, store: Store, objects: Objects, spaces: Spaces) -> None:
        self._store = store
        self._objects = objects
        self._spaces = spaces
        self._callbacks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Take up the jobs of before; called once the event loop runs."""
        for serial, due_at in self._objects.waiting_jobs():
            self.schedule(serial, due_at)

    def schedule(self, serial: int, due_at: float) -> None:
        """Finish this job when it is due."""
        asyncio.get_running_loop().call_later(max(0.0, due_at - clock.now()), self._finish, serial)

    def _finish(self, serial: int) -> None:
        job = self._objects.by_serial(serial)
        if job is None or job.due_at is None or job.deleted_at is not None:
            return
        try:
            space = self._spaces.get(job.space)
            self._write_result(job, space)
            self._store.commit()
        except (ApiError, sqlite3.OperationalError):
            _log.exception("job %s could not be finished", job.id)
            self._store.rollback()
            return
        if job.doc.get("callback_url"):
            task = asyncio.get_running_loop().create_task(self._call_back(job, space))
            self._callbacks.add(task)
            task.add_done_callback(self._callbacks.discard)

    def _write_result(self, job: Stored, space: Space) -> None:
        settings = space.settings
        job.due_at = None
        job.status = settings.job_outcome if job.status == "queued" else job.status
        job.version += 1
        job.updated_at = clock.now()
        job.doc["finished_at"] = clock.iso(job.updated_at)
        job.doc["usage"] = {
            "units": 1,
            "characters": len(str(job.doc.get("prompt") or job.doc.get("body") or "")),
        }
        job.doc["cost"] = {"amount": settings.job_cost, "currency": settings.job_currency}
        if job.status == "succeeded":
            job.doc["output"] = {"text": f"Generated text {job.id}", "content_sha256": job.content_sha256}
        self._objects.update(job, unique=settings.keeps_markers_unique)

    async def _call_back(self, job: Stored, space: Space) -> None:
        document = {
            "id": job.id, "kind": "jobs", "marker": job.marker, "state": job.status,
            "output": job.doc.get("output"), "usage": job.doc["usage"], "cost": job.doc["cost"],
            "finished_at": job.doc["finished_at"],
        }  # fmt: skip
        secret = space.settings.callback_secret or space.token
        for _ in range(job.doc.get("callback_times", space.settings.callback_times)):
            status = await asyncio.to_thread(_post, job.doc["callback_url"], dump(document), secret)
            self._note(job.serial, status)

    def _note(self, serial: int, status: int | None) -> None:
        """Keep what the caller's end answered (None: nothing)."""
        job = self._objects.by_serial(serial)
        if job is None:
            return
        told: list[dict[str, Any]] = job.doc.setdefault("callbacks", [])
        told.append({"at": clock.iso(clock.now()), "status": status})
        self._objects.update(job, unique=self._spaces.get(job.space).settings.keeps_markers_unique)
        self._store.commit_soon()


def _post(url: str, body: bytes, secret: str) -> int | None:
    """POST once, signed; the status, or None when there was no answer."""
    parts = urlsplit(url)
    signature = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    try:
        secure = parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=_TIMEOUT_S)
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", path, body, {"Content-Type": "application/json", SIGNATURE: signature})
            return connection.getresponse().status
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ValueError):
        return None
