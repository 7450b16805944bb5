"""One call to the content API from its arrival in the log to its end."""

from __future__ import annotations

import hmac
import logging
import sqlite3

from once_delivery.sandbox import changes, clock, content, faulty, lookups
from once_delivery.sandbox.answers import Answer, Exchange, error_answer
from once_delivery.sandbox.app import App
from once_delivery.sandbox.bodies import read_object
from once_delivery.sandbox.calls import Call
from once_delivery.sandbox.content import Outcome, Wish
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.faults import Fault, Occasion
from once_delivery.sandbox.spaces import Space
from once_delivery.sandbox.storage import is_full
from once_delivery.sandbox.wire import Request

#: (method, an ID in the path) → operation
_OPERATIONS = {
    ("POST", False): "create",
    ("PUT", True): "create",
    ("PATCH", True): "update",
    ("DELETE", True): "remove",
    ("GET", True): "lookup",
    ("GET", False): "lookup",
    ("HEAD", True): "lookup",
    ("HEAD", False): "lookup",
}
_log = logging.getLogger(__name__)


async def serve_content(app: App, space: Space, request: Request, exchange: Exchange) -> None:
    """Log it, judge it, let a fault have it or do it, and answer."""
    call = app.calls.begin(space.name, request)
    try:
        wish = _admit(space, request, call)
    except ApiError as error:
        answer = error_answer(error)
        _keep(app, call)
        call.status = await exchange.send(answer)
    else:
        fault = _take_fault(app, wish, call)
        call.status = await _play(app, wish, call, fault, exchange) if fault else await exchange.send(
            _perform(app, wish, call, holds_place=False)
        )  # fmt: skip
    call.ended_at = clock.now()
    try:
        app.calls.save(call)
        app.store.commit_soon()
    except sqlite3.OperationalError:
        app.store.rollback()


def _admit(space: Space, request: Request, call: Call) -> Wish:
    """The wish of a caller who may ask. Raises ApiError."""
    kind, *rest = request.segments[2:]
    object_id = rest[0] if rest else None
    call.kind = kind
    call.operation = _OPERATIONS.get((request.method, object_id is not None), "other")
    if request.method == "PUT" and "if-match" in request.headers:
        call.operation = "update"  # it is for an object that the caller has seen
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), space.token.encode()):
        raise ApiError(401, "wrong_token", "the token of this space is needed")
    if call.operation == "other" or len(rest) > 1:
        raise ApiError(405, "wrong_method", "this path does not know this method")
    document = read_object(request.body) if call.operation in ("create", "update") else {}
    wish = Wish(space, kind, object_id, document, request)
    call.marker = wish.marker or request.query.get("marker")
    return wish


def _take_fault(app: App, wish: Wish, call: Call) -> Fault | None:
    """The fault that strikes this call, counted in the same breath."""
    nth = None
    if call.operation == "create":
        wish.space.create_calls += 1
        nth = wish.space.create_calls
    occasion = Occasion(call.operation, wish.kind, call.marker, wish.document, nth)
    fault = app.faults.take(wish.space.name, occasion)
    if fault:
        call.fault, call.variant = fault.kind, fault.variant
    return fault


async def _play(app: App, wish: Wish, call: Call, fault: Fault, exchange: Exchange) -> int | None:
    _keep(app, call)  # a call that hangs or dies is in the log all the same

    def work(*, holds_place: bool) -> Answer:
        return _perform(app, wish, call, holds_place=holds_place)

    return await faulty.play(faulty.Scene(app, fault, wish, exchange, work))


def _keep(app: App, call: Call) -> None:
    try:
        app.calls.save(call)
        app.store.commit()
    except sqlite3.OperationalError:
        app.store.rollback()


def _perform(app: App, wish: Wish, call: Call, *, holds_place: bool) -> Answer:
    """Do the work and the log row in one transaction; every failure becomes an answer."""
    try:
        outcome = _do(app, wish, call.operation, holds_place=holds_place)
        call.committed_id, call.created, call.replayed = outcome.object_id, outcome.created, outcome.replayed
        app.calls.save(call)
        app.store.commit()
    except ApiError as error:
        _keep(app, call)
        return error_answer(error)
    except sqlite3.Error as error:
        app.store.rollback()
        _forget_effect(call)
        if is_full(error):
            return error_answer(ApiError(507, "disk_full", "there is no room left"))
        _log.exception("storage failed")
        return error_answer(ApiError(500, "internal", "the storage failed"))
    return outcome.answer


def _forget_effect(call: Call) -> None:
    call.committed_id, call.created, call.replayed, call.kept = None, False, False, False


def _do(app: App, wish: Wish, operation: str, *, holds_place: bool) -> Outcome:
    app.spaces.check_alive(wish.space)
    if operation == "create":
        return content.create(app, wish, holds_place=holds_place)
    if operation == "update":
        return changes.update(app, wish)
    if operation == "remove":
        return changes.remove(app, wish)
    settled = lookups.set_answer(wish.space.settings)
    if settled is not None:
        return Outcome(settled)
    return Outcome(lookups.get(app, wish) if wish.object_id else lookups.listing(app, wish))
