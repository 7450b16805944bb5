"""How a program comes in: a token, a body that can be read, a rate, and the answer that a repeated key had.

No cookie counts here, so no page can make a browser call it (and CSRF needs no token).
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext_noop
from django.views.decorators.csrf import csrf_exempt
from pydantic import BaseModel

from once_delivery.accounts.models import ApiToken
from once_delivery.accounts.services.api_tokens import token_of
from once_delivery.api import misfits, problems
from once_delivery.api.rate import RATE
from once_delivery.api.roles import RoleNotAllowedError
from once_delivery.api.services import keep_answer
from once_delivery.api.services.keep_answer import Kept
from once_delivery.common.errors import DomainError, InvalidInputError, Problem
from once_delivery.common.sheets.places import pointer
from once_delivery.common.sheets.strict_json import TOO_DEEP, TooDeepError, strict_json
from once_delivery.common.unstorable import noted_unstorable

logger = logging.getLogger(__name__)

BODY_MOST = 10 * 1024 * 1024  # bytes
DEPTH_MOST = 40
_KEY = re.compile(r'^"?([\x21\x23-\x5b\x5d-\x7e]{1,255})"?$')
BAD_KEY = gettext_noop("An Idempotency-Key has 1 to 255 visible ASCII characters.")
BROKEN = gettext_noop("This is not JSON: line %(line)s, column %(column)s.")
NOT_UTF8 = gettext_noop("The body is not UTF-8.")


class ApiRequest(HttpRequest):
    """A request that came in by this door. ``said`` is the body, ``keep`` says whether its answer may be given twice."""

    token: ApiToken
    said: Any
    keep: bool


View = Callable[..., HttpResponseBase]


def only_known(request: HttpRequest, query: type[BaseModel] | None = None) -> None:
    """A misspelt filter would answer with too much, and ``?dry_run=1`` would be done. Raises InvalidInputError."""
    unknown = sorted(request.GET.keys() - (query.model_fields.keys() if query is not None else set()))
    if unknown:
        raise InvalidInputError(
            tuple(
                Problem("unknown-key", misfits.UNKNOWN, {"key": name[:80]}, pointer=f"?{name[:80]}")
                for name in unknown
            )
        )


class _RefusedError(Exception):
    def __init__(self, response: HttpResponse) -> None:
        super().__init__(response.status_code)
        self.response = response


def door(view: View) -> View:
    """The only way to a view of the API."""

    @csrf_exempt
    @wraps(view)
    def entered(request: ApiRequest, /, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            response = _answer(request, view, args, kwargs)
        except _RefusedError as refused:
            response = refused.response
        except DomainError as error:
            response = problems.of_domain(error)
        except Http404:
            response = problems.problem(404)
        except RoleNotAllowedError:
            response = problems.problem(403)
        except Exception as error:
            if noted_unstorable(error, request.path):
                response = problems.not_storable()
            else:
                logger.exception("api failed", extra={"path": request.path})
                response = problems.problem(500)
        response = _in_our_words(response)
        add_never_cache_headers(response)
        return response

    return entered


def _in_our_words(response: HttpResponseBase) -> HttpResponseBase:
    if response.status_code == 405 and response["Content-Type"] != problems.MEDIA_TYPE:  # noqa: PLR2004
        return problems.problem(405, headers={"Allow": response.get("Allow", "")})
    return response


def _answer(request: ApiRequest, view: View, args: Any, kwargs: Any) -> HttpResponseBase:
    request.token = _token(request)
    wait = RATE.wait_s(request.token.pk)
    if wait:
        raise _RefusedError(problems.problem(429, headers={"Retry-After": str(int(wait) + 1)}))
    body = _body(request)
    request.said = _said(request, body)
    request.keep = True
    key = request.headers.get("Idempotency-Key")
    if request.method != "POST" or key is None:
        return view(request, *args, **kwargs)
    return _once(request, key, body, lambda: view(request, *args, **kwargs))


def _token(request: HttpRequest) -> ApiToken:
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    token = token_of(secret.strip()) if kind.lower() == "bearer" and secret.strip() else None
    if token is None:
        raise _RefusedError(problems.problem(401, headers={"WWW-Authenticate": 'Bearer realm="once"'}))
    return token


def _body(request: HttpRequest) -> bytes:
    if request.method in {"GET", "HEAD"}:
        return b""
    length = request.headers.get("Content-Length", "")
    if length.isdecimal() and int(length) > BODY_MOST:
        raise _RefusedError(problems.problem(413))
    body: bytes = request.read(BODY_MOST + 1)
    request._body = body[: BODY_MOST + 1]  # noqa: SLF001 - what Django's own reading leaves
    if len(body) > BODY_MOST:
        raise _RefusedError(problems.problem(413))
    if body and request.content_type != "application/json":
        raise _RefusedError(problems.problem(415))
    return body


def _said(request: HttpRequest, body: bytes) -> Any:
    """The body as JSON: no key twice, no NUL, no number that loses digits, not too deep."""
    if not body:
        return {}
    try:
        said, flaws = strict_json(body.decode(), depth=DEPTH_MOST)
    except UnicodeDecodeError:
        raise _RefusedError(_wrong("not-utf8", NOT_UTF8)) from None
    except json.JSONDecodeError as error:
        raise _RefusedError(_wrong("broken-json", BROKEN, line=error.lineno, column=error.colno)) from None
    except TooDeepError:
        raise _RefusedError(_wrong("too-deep", TOO_DEEP, most=DEPTH_MOST)) from None
    if flaws:
        found = [Problem(one.code, one.template, one.params, pointer=pointer(one.path)) for one in flaws]
        raise _RefusedError(problems.of_problems(found))
    return said


def _wrong(code: str, template: str, **params: object) -> HttpResponse:
    return problems.problem(400, code=code, detail=Problem(code, template, params).message)


def _once(
    request: ApiRequest, key: str, body: bytes, call: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    match = _KEY.match(key)
    if match is None:
        return _wrong("bad-idempotency-key", BAD_KEY)
    fingerprint = keep_answer.print_of(method="POST", path=request.get_full_path(), body=body)
    row, kept = keep_answer.begin(token=request.token, key=match[1], fingerprint=fingerprint)
    if kept is not None:
        again = HttpResponse(kept.body, status=kept.status, content_type=kept.media_type)
        again["Idempotency-Replayed"] = "true"
        return again
    try:
        response = call()
    except Exception:
        keep_answer.forget(row=row)
        raise
    if not request.keep or not isinstance(response, HttpResponse):
        keep_answer.forget(row=row)
    else:
        keep_answer.end(
            row=row, answer=Kept(response.status_code, response["Content-Type"], response.content)
        )
    return response
