"""The connection test of a Wagtail site."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from once_delivery.common.http import HttpClient, HttpError, HttpRequest
from once_delivery.targets.base import CheckResult
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.wagtail.reads import Looker

DEADLINE_S = 10.0
# nothing carries it: every real marker has 26 characters behind "once-"
_NOBODYS = "once-check"
_NO_PAGE = 2_147_483_647  # the largest number that an ID can be; no page has it
_NOT_FOUND, _FORBIDDEN, _UNAUTHORIZED = 404, 403, 401


def run_checks(looker: Looker, client: HttpClient, headers: Mapping[str, str]) -> list[CheckResult]:
    """Reads only, but for one request to publish a page that cannot exist: its refusal is the proof wanted."""
    account = _attempt("account", looker.prove_account)
    if not account.ok:
        return [_connection(account)]
    parameters = looker.parameters
    results = [
        CheckResult("account", ok=True),
        _attempt("section", looker.prove_sight),
        _attempt("page-type", lambda: _fields(looker)),
        _attempt("look_up:create_draft", lambda: _filters(looker.pages({parameters.marker_field or "slug": _NOBODYS}))),
    ]  # fmt: skip
    if parameters.image_marker_field is not None:
        images = looker.images({parameters.image_marker_field: _NOBODYS})
        results.append(_attempt("look_up:upload_file", lambda: _filters(images)))
    return [*results, _cannot_publish(looker, client, headers)]


def _connection(account: CheckResult) -> CheckResult:
    """Nobody answered as Wagtail 8 does; a log-in page, an older Wagtail and a bad token look different."""
    code = {"not-found": "no-api-v3", "html": "no-api", "redirect": "no-api"}.get(account.code, account.code)
    name = "account" if code == "unauthorized" else "connection"
    return CheckResult(name, ok=False, code=code, detail=account.detail)


def _attempt(name: str, read: Callable[[], None]) -> CheckResult:
    try:
        read()
    except CutError as error:
        return CheckResult(name, ok=False, code=error.code, detail=error.detail)
    return CheckResult(name, ok=True)


def _fields(looker: Looker) -> None:
    """Wagtail leaves out in silence what a page type has no writable field for."""
    parameters = looker.parameters
    schema = looker.reader.document(f"{parameters.api_path}/schema/{parameters.page_type}/")
    create = schema.get("create") if isinstance(schema, Mapping) else None
    known = create.get("properties") if isinstance(create, Mapping) else None
    if not isinstance(known, Mapping):
        raise CutError("page-type-not-writable", detail=parameters.page_type)
    wanted = [*parameters.fields.values(), *([parameters.marker_field] if parameters.marker_field else [])]
    missing = [name for name in wanted if name not in known]
    if missing:
        raise CutError("fields-not-writable", detail=", ".join(missing))


def _filters(found: Any) -> None:
    if next(found, None) is not None:
        raise CutError("filter-ignored")


def _cannot_publish(looker: Looker, client: HttpClient, headers: Mapping[str, str]) -> CheckResult:
    """An account that may not publish is refused before the page is looked for."""
    url = f"{looker.base_url}{looker.parameters.api_path}/pages/{_NO_PAGE}/actions/publish/"
    try:
        status = client.send(HttpRequest("POST", url, DEADLINE_S, headers)).status
    except HttpError as error:
        return CheckResult("cannot-publish", ok=False, code=error.code, detail=error.detail)
    if status == _FORBIDDEN:
        return CheckResult("cannot-publish", ok=True)
    code = "may-publish" if status == _NOT_FOUND else f"http-{status}"
    return CheckResult("cannot-publish", ok=False, code=code)
