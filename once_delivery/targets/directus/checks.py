"""The connection test of a Directus project. Reads only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from once_delivery.targets.base import CheckResult
from once_delivery.targets.directus.parameters import ID, Parameters
from once_delivery.targets.directus.site import Site
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.values import identifier

DEADLINE_S = 20.0
# nothing carries it: every real marker has 26 characters behind "once-"
_NOBODYS = "once-check"
# how "there is no Directus here" looks: a page for people, a log-in, somebody else's 404
_NO_API = frozenset({"html", "redirect", "not-found", "unreadable-json", "empty-body", "unreadable-page"})
_WRITES = ("create", "update")


def run_checks(drafts: Site, files: Site | None) -> list[CheckResult]:
    """``files`` None: no uploads are declared."""
    account = _attempt("account", lambda: _account(drafts))
    if not account.ok:
        return [_connection(account)]
    results = [account]
    for site in (drafts, files):
        if site is not None:
            results += _of_one_kind(site)
    return [
        *results,
        _attempt("dates", lambda: _dates(drafts)),
        _attempt("cannot-publish", lambda: _cannot_publish(drafts)),
    ]


def _of_one_kind(site: Site) -> list[CheckResult]:
    name = site.kind.value
    return [
        _attempt(f"sight:{name}", site.prove_sight),
        _attempt(f"rights:{name}", lambda: _writes(site)),
        _attempt(f"look_up:{name}", lambda: _finds_nothing(site)),
        _attempt(f"marker:{name}", lambda: _schema(site)),
    ]


def _connection(account: CheckResult) -> CheckResult:
    if account.code in _NO_API:
        return CheckResult("connection", ok=False, code="no-api", detail=account.code)
    name = "account" if account.code in {"unauthorized", "forbidden"} else "connection"
    return CheckResult(name, ok=False, code=account.code, detail=account.detail)


def _attempt(name: str, read: Callable[[], None]) -> CheckResult:
    try:
        read()
    except CutError as error:
        return CheckResult(name, ok=False, code=error.code, detail=error.detail)
    return CheckResult(name, ok=True)


def _account(site: Site) -> None:
    me = site.asked("/users/me")
    if not isinstance(me, Mapping) or not identifier(me.get(ID)):
        raise CutError("unreadable-page", detail="users/me")


def _writes(site: Site) -> None:
    """Fields that the rights leave out are refused with the whole request."""
    parameters = site.parameters
    create = [site.marker_field, *([ID] if site.takes_our_ids else [])]
    if site.is_files:
        create += [
            "title",
            "type",
            "filename_download",
            "storage",
            *(["folder"] if parameters.folder else []),
        ]
        wanted = {"create": [*create, *parameters.file_fields.values()]}
    else:
        content = [*parameters.fields.values(), parameters.status_field]
        wanted = {"create": [*create, *content], "update": content}
    for action, fields in wanted.items():
        rights = site.rights(action)
        if rights.get("access") not in {"full", "partial"}:
            raise CutError("forbidden", detail=f"{action} {site.collection}")
        site.need(rights, fields, "fields-not-writable")


def _finds_nothing(site: Site) -> None:
    if next(iter(site.matching({site.marker_field: {"_eq": _NOBODYS}})), None) is not None:
        raise CutError("filter-ignored")


def _schema(site: Site) -> None:
    """What the guard stands on: a key that we may choose and a marker that is there once, in the database itself."""
    known = _known(site)
    key, marker = known.get(ID), known.get(site.marker_field)
    if key is None or _of_schema(key, "is_primary_key") is not True:
        raise CutError("id-not-the-key", detail=ID)
    if marker is None:
        raise CutError("marker-field-missing", detail=site.marker_field)
    if site.takes_our_ids and key.get("type") != "uuid":
        raise CutError("id-not-uuid", detail=str(key.get("type")))
    if site.takes_our_ids and _of_schema(marker, "is_unique") is not True:
        raise CutError("marker-not-unique", detail=site.marker_field)


def _dates(site: Site) -> None:
    """Dates that Directus does not set itself tell no version: an update would not notice what an editor changed."""
    known = _known(site)
    for name, sign in ((site.created_field, "date-created"), (site.updated_field, "date-updated")):
        meta = known.get(name, {}).get("meta")
        signs = meta.get("special") if isinstance(meta, Mapping) else None
        if not isinstance(signs, list) or sign not in signs:
            raise CutError("dates-not-kept", detail=name)


def _known(site: Site) -> dict[str, Mapping[str, Any]]:
    """The collection's fields, by name."""
    try:
        fields = site.asked(f"/fields/{site.collection}")
    except CutError as error:
        raise CutError("schema-not-readable" if error.code == "forbidden" else error.code) from None
    return {
        field["field"]: field
        for field in (fields if isinstance(fields, list) else ())
        if isinstance(field, Mapping) and isinstance(field.get("field"), str)
    }


def _of_schema(field: Mapping[str, Any], name: str) -> Any:
    found = field.get("schema")
    return found.get(name) if isinstance(found, Mapping) else None


def _cannot_publish(site: Site) -> None:
    """Directus knows no right to publish: the status is a field, and rules of the policy must hold it."""
    globals_ = site.asked("/policies/me/globals")
    if not isinstance(globals_, Mapping) or globals_.get("admin_access") is not False:
        raise CutError("may-publish", detail="admin_access")
    try:
        rules = site.asked("/permissions", {"collection": {"_eq": site.collection}}, new_by="collection")
    except CutError as error:
        raise CutError("rules-not-readable" if error.code == "forbidden" else error.code) from None
    mine = [rule for rule in (rules if isinstance(rules, list) else ()) if isinstance(rule, Mapping)]
    for action in _WRITES:
        of_action = [rule for rule in mine if rule.get("action") == action]
        if not of_action and site.rights(action).get("access") in {"full", "partial"}:
            raise CutError("rules-not-readable", detail=action)
        if not all(_holds_status(rule, site.parameters) for rule in of_action):
            raise CutError("may-publish", detail=action)


def _holds_status(rule: Mapping[str, Any], parameters: Parameters) -> bool:
    fields = rule.get("fields")
    if isinstance(fields, list) and not {"*", parameters.status_field} & set(fields):
        return True
    return _says_draft(rule.get("validation"), parameters)


def _says_draft(validation: Any, parameters: Parameters) -> bool:
    if not isinstance(validation, Mapping):
        return False
    parts = validation.get("_and")
    if isinstance(parts, list):
        return any(_says_draft(part, parameters) for part in parts)
    held = validation.get(parameters.status_field)
    if not isinstance(held, Mapping):
        return False
    return held.get("_eq") == parameters.draft_value or held.get("_in") == [parameters.draft_value]
