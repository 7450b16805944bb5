"""From a path to whoever answers it; whatever goes wrong becomes a clean answer here."""

from __future__ import annotations

import logging
import sqlite3

from once_delivery.sandbox import admin, page_routes
from once_delivery.sandbox.answers import Answer, Exchange, error_answer, json_answer
from once_delivery.sandbox.app import App
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.objects import KINDS
from once_delivery.sandbox.serving import serve_content
from once_delivery.sandbox.storage import is_full
from once_delivery.sandbox.wire import Request

_log = logging.getLogger(__name__)


async def serve(app: App, request: Request, exchange: Exchange) -> None:
    """Answer one request, or fail it as it was asked to fail."""
    try:
        segments = request.segments
        if segments[:1] == ("spaces",) and segments[2:3] and segments[2] in KINDS:
            await serve_content(app, app.spaces.get(segments[1]), request, exchange)
            return
        answer = _plain(app, request)
        app.store.commit()
    except ApiError as error:
        answer = error_answer(error)
    except sqlite3.Error as error:
        app.store.rollback()
        _log.exception("storage failed")
        full = is_full(error)
        answer = error_answer(
            ApiError(507, "disk_full", "there is no room left")
            if full
            else ApiError(500, "internal", "storage failed")
        )
    except Exception:  # noqa: BLE001 -- a caller never sees a traceback
        _log.exception("%s %s failed", request.method, request.path)
        answer = error_answer(ApiError(500, "internal", "the sandbox failed; its log says why"))
    await exchange.send(answer)


def _plain(app: App, request: Request) -> Answer:
    """Everything that is not a call to the content API."""
    if request.segments[0] == "admin":
        return admin.answer(app, request)
    if request.method not in ("GET", "HEAD"):
        raise ApiError(405, "wrong_method", "this path does not know this method")
    if request.segments == ("health",):
        return json_answer({"status": "ok", "spaces": len(app.spaces.listing())})
    return page_routes.answer(app, request)
