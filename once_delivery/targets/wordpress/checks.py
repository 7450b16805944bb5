"""The connection test of a WordPress site. Reads only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from once_delivery.common.http import HttpClient, HttpError, HttpRequest
from once_delivery.targets.base import CheckResult, Kind
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reading import document_of, fine
from once_delivery.targets.wordpress.objects import slugs_of
from once_delivery.targets.wordpress.site import Site, may

DEADLINE_S = 20.0
PLUGIN_API = 2  # updates that compare versions
_NOBODYS = "once-nobodys-check"
# how "there is no WordPress API here" looks: a page for people, a log-in, somebody else's 404
_NO_API = frozenset({"html", "redirect", "not-found", "unreadable-json", "empty-body", "unreadable-page"})


def run_checks(
    sites: Mapping[Kind, Site], client: HttpClient, drafts: Mapping[str, str]
) -> list[CheckResult]:
    """``sites``: one for each account; ``drafts``: the headers of the account for drafts."""
    site = sites[Kind.CREATE_DRAFT]
    connection = _attempt("connection", lambda: _api(site))
    if not connection.ok:
        return [connection]
    account = _attempt("account", lambda: _may(site, "edit_posts"))
    results = [connection, account]
    if not account.ok:
        return results
    results += [
        _attempt("cannot-publish", lambda: _may_not(site, "publish_posts")),
        _attempt("look_up:create_draft", lambda: _finds_nothing(site)),
        _attempt("fields", lambda: _fields(site, client, drafts)),
    ]
    if site.parameters.plugin:
        results.append(_attempt("plugin", lambda: _plugin(site)))
    if Kind.UPLOAD_FILE in sites:
        files = sites[Kind.UPLOAD_FILE]
        results += [
            _attempt("media-account", lambda: _may(files, "upload_files")),
            _attempt("look_up:upload_file", lambda: _finds_nothing(files)),
        ]
    return results


def _attempt(name: str, read: Callable[[], None]) -> CheckResult:
    try:
        read()
    except CutError as error:
        return CheckResult(name, ok=False, code=error.code, detail=error.detail)
    return CheckResult(name, ok=True)


def _api(site: Site) -> None:
    try:
        root = site.document("/")
    except CutError as error:
        if error.code in _NO_API:
            raise CutError("no-api", detail=error.code) from None
        raise
    namespaces = root.get("namespaces")
    if not isinstance(namespaces, list) or "wp/v2" not in namespaces:
        raise CutError("no-api", detail="wp/v2")
    ways = root.get("authentication")
    if not isinstance(ways, Mapping) or "application-passwords" not in ways:
        # without TLS, switched off by a plugin, or older than WordPress 5.6
        raise CutError("no-application-passwords")


def _may(site: Site, capability: str) -> None:
    if not may(site.account(), capability):
        raise CutError("forbidden", detail=capability)


def _may_not(site: Site, capability: str) -> None:
    if may(site.account(), capability):
        raise CutError("may-publish", detail=capability)


def _finds_nothing(site: Site) -> None:
    if next(site.all(slug=slugs_of(_NOBODYS)), None) is not None:
        raise CutError("filter-ignored")


def _fields(site: Site, client: HttpClient, headers: Mapping[str, str]) -> None:
    """WordPress leaves out in silence what it has no field for."""
    parameters = site.parameters
    known = _schema(site, client, headers)
    meta = _properties(known.get("meta"))
    wanted = set(parameters.fields.values()) - {"featured_media", "categories", "tags", "excerpt"}
    wanted |= {name for extra in parameters.by_locale.values() for name in extra}
    if parameters.marker_meta is not None:
        wanted.add(f"meta.{parameters.marker_meta}")
    there = set(known) | {f"meta.{name}" for name in meta}
    if not wanted <= there:
        raise CutError("fields-not-writable", detail=", ".join(sorted(wanted - there)))


def _schema(site: Site, client: HttpClient, headers: Mapping[str, str]) -> Mapping[str, Any]:
    path, query = site.parameters.address(f"/wp/v2/{site.base}")
    asked = "?rest_route=" + query["rest_route"] if query else ""
    try:
        result = client.send(HttpRequest("OPTIONS", f"{site.base_url}{path}{asked}", DEADLINE_S, headers))
    except HttpError as error:
        raise CutError(error.code, detail=error.detail) from None
    document = document_of(fine(result))
    return _properties(document.get("schema") if isinstance(document, Mapping) else None)


def _properties(part: Any) -> Mapping[str, Any]:
    found = part.get("properties") if isinstance(part, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _plugin(site: Site) -> None:
    try:
        said = site.document("/once/v1/status")
    except CutError as error:
        raise CutError("plugin-missing" if error.code == "not-found" else error.code) from None
    api = said.get("api")
    if not isinstance(api, int) or api < PLUGIN_API:
        raise CutError("plugin-too-old", detail=str(said.get("version")))
    if said.get("ready") is not True:
        raise CutError("plugin-not-ready", detail=str(said.get("version")))
