"""Answers that cannot be read, though the object was made."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

from once_delivery.sandbox.answers import Answer, json_answer
from once_delivery.sandbox.lookups import proxy_page

_BOMB_MB = 64
_INSIDE = "http://169.254.169.254/latest/meta-data/"


def _no_id(true: Answer, document: dict[str, Any]) -> Answer:
    kept = {name: value for name, value in document.items() if name not in ("id", "url")}
    return json_answer(kept, status=true.status)


def _cut_json(true: Answer, _document: dict[str, Any]) -> Answer:
    return Answer(true.status, true.body[: len(true.body) // 2])


def _error_null(true: Answer, document: dict[str, Any]) -> Answer:
    return json_answer({"error": None, **document}, status=true.status)


def _ok_error_body(_true: Answer, _document: dict[str, Any]) -> Answer:
    return json_answer({"error": {"code": "internal", "message": "something went wrong"}})


def _accepted(_true: Answer, _document: dict[str, Any]) -> Answer:
    return Answer(202)


def _see_other(_true: Answer, document: dict[str, Any]) -> Answer:
    return Answer(303, headers=(("Location", str(document.get("location"))),))


def _redirect_inside(_true: Answer, _document: dict[str, Any]) -> Answer:
    return Answer(302, headers=(("Location", _INSIDE),))


def _bad_gzip(true: Answer, _document: dict[str, Any]) -> Answer:
    packed = gzip.compress(true.body)
    return Answer(true.status, packed[: len(packed) // 2], headers=(("Content-Encoding", "gzip"),))


def _gzip_bomb(true: Answer, _document: dict[str, Any]) -> Answer:
    packed = gzip.compress(b" " * (_BOMB_MB * 1024 * 1024), compresslevel=1)
    return Answer(true.status, packed, headers=(("Content-Encoding", "gzip"),))


def _html(_true: Answer, _document: dict[str, Any]) -> Answer:
    return proxy_page(200)


def _empty(true: Answer, _document: dict[str, Any]) -> Answer:
    return Answer(true.status)


def _other_action(true: Answer, document: dict[str, Any]) -> Answer:
    return json_answer(document["other"], status=true.status)


_VARIANTS: dict[str, Callable[[Answer, dict[str, Any]], Answer]] = {
    "no_id": _no_id,
    "cut_json": _cut_json,
    "error_null": _error_null,
    "ok_error_body": _ok_error_body,
    "accepted": _accepted,
    "see_other": _see_other,
    "redirect_inside": _redirect_inside,
    "bad_gzip": _bad_gzip,
    "gzip_bomb": _gzip_bomb,
    "other_action": _other_action,
    "html": _html,
    "empty": _empty,
}


def misanswer(variant: str, true: Answer, document: dict[str, Any]) -> Answer:
    """The unreadable form of a true answer.

    ``document`` is the true body, with ``location`` (where the object is) or ``other`` (another object) where the
    variant needs them.
    """
    return _VARIANTS[variant](true, document)
