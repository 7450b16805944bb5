"""A client for the API of ONCE delivery: one file, on requests alone, to be copied into any project.

    once = Once("https://once.example/api/v1", "once_…")
    once.deliver(identity, target="cms", content={"title": "…"}, brief={"text": "…"})

    with once.permit(identity, target="cms", content=content, execution="run-7") as p:
        if p.go:
            answer = create_in_the_cms(content, key=p.idempotency_key, marker=p.marker, timeout=p.deadline_s)
            p.done(answer["id"], url=answer["link"])
    print(p.result_id)

Leaving the block without a report tells "unknown": the action is uncertain, and whoever asks next looks first. So does
an exception inside it. A lost answer of this API itself is asked again, with one Idempotency-Key.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

import requests

Json = dict[str, Any]
TRIES = 4  # of one call, when no answer came, or a 429 or 5xx
PAUSE_S = 0.5  # before the second try; doubles
CONNECT_S, READ_S = 5.0, 45.0


class OnceError(Exception):
    """The API said no. ``code`` is stable; ``problem`` is the whole of it (RFC 9457)."""

    def __init__(self, problem: Json) -> None:
        self.problem = problem
        self.status = int(problem.get("status", 0))
        self.code = str(problem.get("code", ""))
        super().__init__(f"{self.code}: {problem.get('detail', '')}")


class NotReachedError(OnceError):
    """No answer came, however often it was asked."""


class Stop(OnceError):  # noqa: N818 - it is no fault: a person decides
    """A person decides; nothing is to be performed."""


def identity(product: str, locale: str, purpose: str, input_version: int) -> Json:
    """What a delivery is, whoever asks and however often."""
    return {"product": product, "locale": locale, "purpose": purpose, "input_version": input_version}


class Permit:
    """An answer to "may I?": ``answer`` is go, reuse, wait, look_up or stop.

    ``go``: perform, with ``marker``, ``idempotency_key`` or ``client_id`` as the target takes them, then call ``done``,
    ``refused`` or ``unknown``. ``look_up``: look for ``marker``, then ``found`` or ``absent``.
    """

    def __init__(self, once: Once, told: Json) -> None:
        self._once = once
        self._reported = False
        self.told = told
        self.answer: str = told["answer"]
        self.marker: str = told["marker"]
        self.client_id: str = told["client_id"]
        self.idempotency_key: str | None = told["idempotency_key"]
        self.deadline_s: float | None = told["deadline_s"]
        self.replay: bool = told["replay"]
        self.why: str = told["why"]
        self.action: Json = told["action"]

    @property
    def go(self) -> bool:
        """Whether you are to perform it."""
        return self.answer == "go"

    @property
    def result_id(self) -> str:
        """The target's ID, as far as it is known; "" before."""
        return str(self.action["result_id"])

    def done(self, result_id: str | int, *, url: str = "", **more: Any) -> Json:
        """The target answered with an ID. ``more``: marker, http_status, finished, cost."""
        return self._report("done", {"result_id": str(result_id), "url": url, **more})

    def refused(self, **more: Any) -> Json:
        """Nothing was made. ``more``: outcome, http_status, code, detail, retry_after_s, cost."""
        return self._report("refused", more)

    def unknown(self, **more: Any) -> Json:
        """It may have arrived. ``more``: http_status, code, detail, cost."""
        return self._report("unknown", more)

    def found(self, *objects: Json, method: str, **more: Any) -> Json:
        """What you saw: ``{"result_id": …, "marker": …}`` each."""
        return self._report("found", {"objects": list(objects), "method": method, **more})

    def absent(self, *, complete: bool, method: str, **more: Any) -> Json:
        """You looked and it is not there."""
        return self._report("absent", {"complete": complete, "method": method, **more})

    def heartbeat(self, lease_s: float | None = None) -> str:
        """You are still at work; returns until when the permit lasts now."""
        said = {} if lease_s is None else {"lease_s": lease_s}
        return str(self._call("heartbeat", said)["expires_at"])

    def _report(self, verb: str, said: Json) -> Json:
        told = self._call(verb, said)
        self._reported = True
        self.action = told["action"]
        return told

    def _call(self, verb: str, said: Json) -> Json:
        if not self.told["permit"]:
            raise OnceError({"code": "no-permit", "detail": f"the answer was {self.answer}"})
        return self._once.call("POST", f"/permits/{self.told['permit']}/{verb}", said)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.go or self._reported:
            return
        said = (
            {"code": "not-reported"} if error is None else {"code": "exception", "detail": repr(error)[:500]}
        )
        try:
            self.unknown(**said)
        except OnceError:
            if error is None:  # it expires into uncertain by itself; a fault of the block goes first
                raise


class Once:
    """One project's API. ``language`` is that of sentences. Usable from several threads."""

    def __init__(self, address: str, token: str, *, language: str = "en") -> None:
        self._address = address.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}", "Accept-Language": language}

    def deliver(
        self, what: Json, *, target: str, content: Json, execution: str = "", wait_s: int = 0, **more: Any
    ) -> Json:
        """Ask for one draft and return its delivery; with ``wait_s`` when it is settled, or that much later.

        ``more``: brief (the first time an input version is named), product_name, approved_by, approved_at.
        """
        item = {"identity": what, "target": target, "content": content, **more}
        delivery: Json = self.deliver_many([item], execution=execution)["deliveries"][0]
        return self.delivery(delivery["id"], wait_s=wait_s) if wait_s else delivery

    def deliver_many(self, items: Sequence[Json], *, batch: str = "", execution: str = "") -> Json:
        """Ask for 1 to 1000 deliveries, all or none."""
        said = {"items": list(items), "batch": batch, "execution": execution}
        return self.call("POST", "/deliveries", said)

    def delivery(self, delivery_id: str, *, wait_s: int = 0) -> Json:
        """How one stands; with ``wait_s`` when it is settled, or that many seconds later."""
        return self._wait(
            lambda wait: self.call("GET", f"/deliveries/{delivery_id}?wait={wait}"),
            lambda found: bool(found["settled"]),
            wait_s,
        )

    def deliveries(self, **query: Any) -> list[Json]:
        """All of them that fit: product, locale, purpose, input_version, execution, state, batch."""
        found: list[Json] = []
        while True:
            page = self.call("GET", f"/deliveries?{urlencode(query)}")
            found += page["deliveries"]
            if page["next"] is None:
                return found
            query["after"] = page["next"]

    def permit(
        self, what: Json, *, target: str, content: Json, execution: str = "", wait_s: int = 60, **more: Any
    ) -> Permit:
        """May I perform this? While somebody else has it, this waits up to ``wait_s``. Raises Stop where a person decides.

        ``more``: brief, kind, slot, lease_s, retry_refused, batch, product_name, approved_by, approved_at.
        """
        said = {"identity": what, "target": target, "content": content, "execution": execution, **more}
        told = self._wait(
            lambda wait: self.call("POST", f"/permits?wait={wait}", said),
            lambda answered: bool(answered["answer"] != "wait"),
            wait_s,
        )
        if told["answer"] == "stop":
            raise Stop({"code": told["reason"], "detail": told["why"], "action": told["action"]})
        return Permit(self, told)

    def cost(self, attempt: int, *, provider: str, **more: Any) -> Json:
        """What an attempt cost (``permit.told["attempt"]``): units, unit, amount, currency, request_id."""
        return self.call("POST", f"/attempts/{attempt}/costs", {"provider": provider, **more})

    def call(self, method: str, path: str, said: Json | None = None) -> Json:
        """One call, asked again while no answer comes. Raises OnceError."""
        headers = dict(self._headers)
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        last: Json = {}
        for attempt in range(TRIES):
            if attempt:
                time.sleep(PAUSE_S * 2 ** (attempt - 1))
            try:
                answer = requests.request(
                    method, self._address + path, json=said, headers=headers, timeout=(CONNECT_S, READ_S)
                )
            except requests.RequestException as error:
                last = {"code": "not-reached", "detail": repr(error)}
                continue
            if answer.ok:
                return _json(answer)
            last = {**_json(answer), "status": answer.status_code}
            if not _is_worth_asking_again(last):
                raise OnceError(last)
        raise NotReachedError(last)

    def _wait(self, ask: Callable[[int], Json], is_enough: Callable[[Json], bool], wait_s: int) -> Json:
        until = time.monotonic() + wait_s
        while True:
            found = ask(min(max(0, int(until - time.monotonic())), 30))
            left = until - time.monotonic()
            if is_enough(found) or left <= 0:
                return found
            time.sleep(min(PAUSE_S, left))


def _is_worth_asking_again(problem: Json) -> bool:
    return (
        problem["status"] == 429 or problem["status"] >= 500 or problem.get("code") == "idempotency-in-flight"
    )


def _json(answer: requests.Response) -> Json:
    try:
        told = answer.json()
    except ValueError:
        told = None
    return told if isinstance(told, dict) else {"code": "unreadable", "detail": answer.text[:200]}
