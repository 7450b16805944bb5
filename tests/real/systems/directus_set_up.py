"""Collections and accounts of the Directus of the tests, made through its API as an administrator would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tests.real.systems import ServerFailedError
from tests.real.systems.directus import DirectusServer

PERMISSIONS, FIELDS, FILES = "directus_permissions", "directus_fields", "directus_files"
COLLECTIONS = ("articles", "notes")
CONTENT = ("title", "slug", "body", "language", "product", "image")
OWN = {"user_created": {"_eq": "$CURRENT_USER"}}
DRAFTS = {"status": {"_eq": "draft"}}
OWN_RULES = {"policy": {"_in": "$CURRENT_POLICIES"}}
CHANGED = ["status", *CONTENT]
WRITTEN = ["id", "external_ref", *CHANGED]
UPLOADED = ["id", "external_ref", "title", "description", "type", "filename_download", "folder", "storage"]


def set_up(server: DirectusServer) -> DirectusServer:
    """``articles`` with our ID and a unique marker field, ``notes`` with neither; the same server, with its accounts."""
    make_collections(server)
    made = {name: make_account(server, name, rules) for name, rules in ACCOUNTS.items()}
    return replace(server, tokens={**server.tokens, **made})


def make_collections(server: DirectusServer) -> None:
    """Both of them, and the field for the marker of files."""
    uuid_key = {
        "field": "id",
        "type": "uuid",
        "meta": {"special": ["uuid"]},
        "schema": {"is_primary_key": True, "has_auto_increment": False},
    }
    number_key = {
        "field": "id",
        "type": "integer",
        "schema": {"is_primary_key": True, "has_auto_increment": True},
    }
    for name, key in zip(COLLECTIONS, (uuid_key, number_key), strict=True):
        fields = [key, *_fields(unique=name == "articles")]
        _made(server, "/collections", {"collection": name, "schema": {}, "meta": {}, "fields": fields})
        relation = {"collection": name, "field": "image", "related_collection": FILES, "schema": {}}
        _made(server, "/relations", relation)
    marker = {"field": "external_ref", "type": "string", "schema": {"is_unique": True}}
    _made(server, f"/fields/{FILES}", marker)


def _fields(*, unique: bool) -> list[dict[str, Any]]:
    def special(name: str, kind: str, *signs: str) -> dict[str, Any]:
        return {"field": name, "type": kind, "meta": {"special": list(signs)}, "schema": {}}

    return [
        {
            "field": "external_ref",
            "type": "string",
            "schema": {"is_unique": unique},
            "meta": {"readonly": True},
        },
        {"field": "status", "type": "string", "schema": {"default_value": "draft", "is_nullable": False}},
        {"field": "title", "type": "string", "schema": {"max_length": 255}},
        {"field": "slug", "type": "string", "schema": {"is_unique": True}},
        {"field": "body", "type": "text", "schema": {}},
        {"field": "language", "type": "string", "schema": {}},
        {"field": "product", "type": "string", "schema": {}},
        {"field": "image", "type": "uuid", "meta": {"special": ["file"]}, "schema": {}},
        special("date_created", "timestamp", "date-created"),
        special("date_updated", "timestamp", "date-updated"),
        special("user_created", "uuid", "user-created"),
    ]


def rule_for(collection: str, action: str, **more: Any) -> dict[str, Any]:
    return {"collection": collection, "action": action, "fields": ["*"], **more}


def _drafting(collection: str) -> list[dict[str, Any]]:
    """Makes drafts and changes its own; cannot publish."""
    own_drafts = {"_and": [DRAFTS, OWN]}
    return [
        rule_for(collection, "create", fields=WRITTEN, validation=DRAFTS, presets={"status": "draft"}),
        rule_for(collection, "update", fields=CHANGED, validation=DRAFTS, permissions=own_drafts),
        rule_for(collection, "delete", permissions=own_drafts),
    ]


def _reading(rule: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    return [rule_for(name, "read", **({"permissions": rule} if rule else {})) for name in COLLECTIONS]


_KNOWS_ITSELF = [rule_for(PERMISSIONS, "read", permissions=OWN_RULES), rule_for(FIELDS, "read")]
_UPLOADING = [
    rule_for(FILES, "create", fields=UPLOADED),
    rule_for(FILES, "delete", permissions={"uploaded_by": {"_eq": "$CURRENT_USER"}}),
]
_DRAFTING = [rule for name in COLLECTIONS for rule in _drafting(name)]
_EVERYTHING = [
    rule_for(name, action)
    for name in (*COLLECTIONS, FILES)
    for action in ("create", "read", "update", "delete")
]
ACCOUNTS: dict[str, list[dict[str, Any]]] = {
    "delivery": [*_DRAFTING, *_UPLOADING, *_reading(None), rule_for(FILES, "read"), *_KNOWS_ITSELF],
    # the usual policy: what is published is hidden from it
    "drafts-only": [*_DRAFTING, *_reading(DRAFTS), *_KNOWS_ITSELF],
    "outsider": [*_DRAFTING, *_reading(OWN), *_KNOWS_ITSELF],
    "writer-only": [*_DRAFTING, *_KNOWS_ITSELF],
    "unknowing": [*_DRAFTING, *_reading(None), rule_for(FILES, "read")],
    "publisher": [*_EVERYTHING, *_KNOWS_ITSELF],
    "editor": _EVERYTHING,
}
# without a rule about items or fields
OPEN = [*_EVERYTHING, rule_for(PERMISSIONS, "read"), rule_for(FIELDS, "read")]


def make_account(server: DirectusServer, name: str, given: list[dict[str, Any]]) -> str:
    """A user with a policy of its own; its token. Raises ServerFailedError when a rule is refused."""
    token = f"token-of-the-account-{name}-0123456789"
    policy = _made(server, "/policies", {"name": name, "admin_access": False, "app_access": False})
    rules = [{**rule, "policy": policy["id"]} for rule in given]
    _made(server, "/permissions", rules)
    role = _made(server, "/roles", {"name": name})
    _made(server, "/access", {"role": role["id"], "policy": policy["id"]})
    user = {"email": f"{name}@example.com", "role": role["id"], "token": token, "status": "active"}
    _made(server, "/users", {**user, "password": "a-long-Pass-phrase-77"})
    return token


def _made(server: DirectusServer, path: str, body: Any) -> Any:
    status, answer = server.ask("admin", "POST", path, body)
    if status not in {200, 204}:
        raise ServerFailedError(f"{path}: {status} {str(answer)[:1000]}")
    return answer["data"] if answer else None
