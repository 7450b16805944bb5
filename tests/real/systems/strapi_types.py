"""The content types of the test site: what Strapi's own generator would write, for each one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ContentType:
    """``draft_only``: the site's policy refuses every write that is not a draft's."""

    name: str
    plural: str
    localized: bool = False
    drafts: bool = True
    draft_only: bool = False


TYPES = (
    ContentType("article", "articles", localized=True),  # the plugin's
    ContentType("leaflet", "leaflets"),  # the plugin's too
    ContentType("story", "stories", localized=True, draft_only=True),
    ContentType("memo", "memos"),  # as it comes
    ContentType("entry", "entries", drafts=False),  # what is made is live
)


def write_types(api: Path) -> None:
    """Each type's four files below ``api``."""
    for one in TYPES:
        place = api / one.name
        for part in (f"content-types/{one.name}", "routes", "controllers", "services"):
            (place / part).mkdir(parents=True)
        schema = place / "content-types" / one.name / "schema.json"
        schema.write_text(json.dumps(_schema(one)))
        (place / "routes" / f"{one.name}.js").write_text(_core("Router", one, _routes(one)))
        (place / "controllers" / f"{one.name}.js").write_text(_core("Controller", one))
        (place / "services" / f"{one.name}.js").write_text(_core("Service", one))


def _schema(one: ContentType) -> dict[str, Any]:
    i18n = {"pluginOptions": {"i18n": {"localized": True}}} if one.localized else {}
    return {
        "kind": "collectionType",
        "collectionName": one.plural,
        "info": {"singularName": one.name, "pluralName": one.plural, "displayName": one.name},
        "options": {"draftAndPublish": one.drafts},
        **i18n,
        "attributes": {
            "title": {"type": "string", "required": True, **i18n},
            "body": {"type": "text", **i18n},
            "product": {"type": "string", "maxLength": 40, **i18n},
            "image": {"type": "media", "multiple": False, "allowedTypes": ["images"], **i18n},
            "external_ref": {"type": "string", "unique": True, **i18n},  # asked when it is published
        },
    }


def _routes(one: ContentType) -> Mapping[str, Any]:
    only = {"policies": ["global::draft-only"]}
    return {"config": {"create": only, "update": only}} if one.draft_only else {}


def _core(what: str, one: ContentType, options: Mapping[str, Any] | None = None) -> str:
    more = f", {json.dumps(options)}" if options else ""
    uid = f"api::{one.name}.{one.name}"
    return f"module.exports = require('@strapi/strapi').factories.createCore{what}('{uid}'{more});\n"
