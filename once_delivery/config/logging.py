"""Logs as one JSON object a line, each with what it belongs to: request, run, action.

Bodies, headers and credentials never come here: a record's message and its known extra fields are all
that is written.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import traceback
import uuid
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse

BELONGS: ContextVar[dict[str, str]] = ContextVar("once_log_belongs", default={})  # noqa: B039 -- never changed in place
EXTRA_FIELDS = (
    "code",
    "count",
    "seconds",
    "state",
    "status_code",
    "task_id",
    "task_name",
    "target",
    "url_name",
)
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
# libpq and URL forms of a password, in case a library puts an address into its message
SECRETS = re.compile(
    r"(://[^:/@\s]+:)[^@\s]+@|(password=)('[^']*'|\S+)|(Bearer\s+|Basic\s+)\S+", re.IGNORECASE
)

# addresses that are secrets themselves: links of invitations, approvals, new passwords and new addresses
SECRET_LINKS = re.compile(r"(/(?:invitation|approve|password/reset|account/email)/)[^/\s]+(?:/[^/\s]+)?")

FAULT = 500  # from this status on it is ours

# tokens of programs, and permits, which stand in the addresses of their reports
OURS = re.compile(r"\b((?:once|permit)_)[A-Za-z0-9_-]{20,}")


@contextlib.contextmanager
def belonging_to(**ids: str) -> Iterator[None]:
    """Every record inside carries ``ids``, say ``run=…`` or ``action=…``."""
    token = BELONGS.set({**BELONGS.get(), **ids})
    try:
        yield
    finally:
        BELONGS.reset(token)


def without_secrets(text: str) -> str:
    """``text``, with stars in the place of every secret that is known by its form."""
    hidden = SECRETS.sub(lambda m: f"{m[1]}***@" if m[1] else f"{m[2] or m[4]}***", text)
    return OURS.sub(r"\1***", SECRET_LINKS.sub(r"\1***", hidden))


class RefusalFilter(logging.Filter):
    """Who was refused something (403, 404 …) is told in a line: the trace of such a record says nothing of a fault."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", FAULT) < FAULT:
            record.exc_info = record.exc_text = None
        return True


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            "process": record.process,
            **BELONGS.get(),
            **{name: getattr(record, name) for name in EXTRA_FIELDS if hasattr(record, name)},
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["trace"] = without_secrets("".join(traceback.format_exception(*record.exc_info)))
        return json.dumps(line, ensure_ascii=False, default=str)


class PlainFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        belongs = "".join(f" {key}={value}" for key, value in BELONGS.get().items())
        return without_secrets(super().format(record)) + belongs


class RequestIdMiddleware:
    """Gives each request an ID (the caller's, when it is harmless) and answers with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        with belonging_to(request=request_id):
            response = self._get_response(request)
        response["X-Request-ID"] = request_id
        return response


def logging_settings(*, level: str, form: str) -> dict[str, Any]:
    """For ``logging.config.dictConfig``: everything goes to the error stream."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {"()": "once_delivery.config.logging.JsonFormatter"},
            "plain": {
                "()": "once_delivery.config.logging.PlainFormatter",
                "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
            },
        },
        "filters": {"refusals": {"()": "once_delivery.config.logging.RefusalFilter"}},
        "handlers": {
            "stream": {"class": "logging.StreamHandler", "formatter": form, "filters": ["refusals"]}
        },
        "root": {"handlers": ["stream"], "level": level},
        "loggers": {
            "django": {"level": "WARNING" if level == "INFO" else level},
            "django.server": {"handlers": ["stream"], "level": level, "propagate": False},
            "pgmq": {"level": "WARNING"},
        },
    }
