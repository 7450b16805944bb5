"""What an operator declares of a bucket: which one, where things go in it, and what the store is able to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.targets import schema
from once_delivery.targets.base import Kind
from once_delivery.targets.s3.keys import Template

KEYS = {Kind.CREATE_DRAFT: "drafts/{marker}.json", Kind.UPLOAD_FILE: "files/{marker}/{name}"}
HTML_KEY = "drafts/{marker}.html"
FIELDS = {"title": "title", "body": "body", "locale": "locale", "product": "product"}
_PART = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Multipart:
    """Files of more than ``above`` bytes go up in parts of ``part_size``."""

    above: int
    part_size: int


@dataclass(frozen=True, slots=True)
class Parameters:
    """``signed_host``: the name by which the store knows itself where a proxy stands between; "" for the address's."""

    bucket: str
    region: str
    style: str
    signed_host: str
    keys: Mapping[Kind, Template]
    draft: str
    fields: Mapping[str, str]  # of the payload → of the document
    headers: Mapping[str, str]
    conditional: bool  # the store honours If-None-Match and If-Match
    etag_quotes: bool  # it wants If-Match as HTTP has it; Ceph 16 wants it bare
    versions: bool  # it can list versions: what was deleted in a versioned bucket is seen
    multipart: Multipart | None

    def template(self, kind: Kind) -> Template | None:
        """Where objects of ``kind`` are; an update is for what a create has made."""
        return self.keys.get(Kind.CREATE_DRAFT if kind == Kind.UPDATE_DRAFT else kind)


def read_parameters(declaration: Mapping[str, Any]) -> Parameters:
    """Raises InvalidInputError with a pointer to each field that does not fit ``schemas/s3.json``."""
    schema.validate(declaration, "s3")
    draft = declaration.get("draft", "json")
    keys = {
        **KEYS,
        **({Kind.CREATE_DRAFT: HTML_KEY} if draft == "html" else {}),
        **{Kind(kind): key for kind, key in declaration.get("keys", {}).items()},
    }
    templates = {kind: Template.read(key) for kind, key in keys.items()}
    _keep_apart(templates)
    multipart = declaration.get("multipart")
    return Parameters(
        bucket=declaration["bucket"],
        region=declaration.get("region", "us-east-1"),
        style=declaration.get("style", "path"),
        signed_host=declaration.get("signed_host", ""),
        keys=templates,
        draft=draft,
        fields=FIELDS | declaration.get("fields", {}),
        headers=declaration.get("headers", {}),
        conditional=declaration.get("conditional", True),
        etag_quotes=declaration.get("etag_quotes", True),
        versions=declaration.get("versions", True),
        multipart=Multipart(multipart["above"], multipart.get("part_size", _PART)) if multipart else None,
    )


def _keep_apart(templates: Mapping[Kind, Template]) -> None:
    """An inventory lists a folder: two kinds in one would be taken for each other."""
    drafts, files = templates[Kind.CREATE_DRAFT].prefix, templates[Kind.UPLOAD_FILE].prefix
    if drafts.startswith(files) or files.startswith(drafts):
        problem = Problem(
            code="keys-overlap",
            template=gettext_noop("%(pointer)s: drafts and files need folders of their own."),
            params={"pointer": "/keys"},
            pointer="/keys",
        )
        raise InvalidInputError((problem,))
