"""The XML of a store, read with suspicion."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from once_delivery.common.http import HttpResult
from once_delivery.targets.http_json.documents import UnreadableError

_NAMESPACE = re.compile(r"\{[^}]*\}")


def parse(result: HttpResult) -> ET.Element:
    """The document, its names without their namespace; raises UnreadableError (``empty-body``, ``html``, ``unreadable-xml``)."""
    body = result.body
    if not body.strip():
        raise UnreadableError("empty-body")
    # a document type could define entities that explode; no store sends one, a page for people does
    if "html" in result.headers.get("content-type", "").lower() or b"<!doctype" in body.lower():
        raise UnreadableError("html")
    try:
        root = ET.fromstring(body)  # noqa: S314 -- without a document type there are no entities to expand
    except (ET.ParseError, ValueError):
        raise UnreadableError("unreadable-xml") from None
    for element in root.iter():
        element.tag = _NAMESPACE.sub("", element.tag)
    return root


def error_of(result: HttpResult) -> tuple[str, str]:
    """The store's own code and words, such as ``NoSuchBucket``; ("", "") when it is not a store that speaks."""
    try:
        root = parse(result)
    except UnreadableError:
        return "", ""
    if root.tag != "Error":
        return "", ""
    return root.findtext("Code", ""), root.findtext("Message", "")


def words_of(result: HttpResult) -> str:
    """What the store says of an error, for the evidence; "" when nothing that is a store's."""
    said, words = error_of(result)
    region = result.headers.get(
        "x-amz-bucket-region", ""
    )  # where the bucket is, when it was asked for elsewhere
    where = f" (the bucket is in {region})" if region else ""
    return f"{said}: {words}{where}"[:300] if said else where.strip()[:300]
