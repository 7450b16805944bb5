"""Every key below a prefix, page by page, to the true end."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote_plus
from xml.etree.ElementTree import Element

from once_delivery.common.digits import whole_number
from once_delivery.common.http import HttpResult
from once_delivery.targets.http_json.documents import UnreadableError
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.values import moment
from once_delivery.targets.s3.objects import Entry, bare
from once_delivery.targets.s3.store import Reads
from once_delivery.targets.s3.xml import parse

PAGE = 1000


def entries(reads: Reads, prefix: str, *, after: str = "", page: int = PAGE) -> Iterator[Entry]:
    """Today's state of each key below ``prefix`` in the order of keys, beginning behind ``after``; raises CutError."""
    parameters = reads.store.parameters
    query = {"prefix": prefix, "max-keys": str(page), "encoding-type": "url"}
    if parameters.versions:
        query |= {"versions": ""} | ({"key-marker": after} if after else {})
    else:
        query |= {"list-type": "2"} | ({"start-after": after} if after else {})
    wanted = "ListVersionsResult" if parameters.versions else "ListBucketResult"
    before = ""
    while True:
        result = reads.fine(reads.result("GET", query=query))
        root = _page(result, wanted, bucket=parameters.bucket, prefix=prefix)
        for entry in _entries(root, result):
            if entry.key != before:  # of several versions the newest comes first
                yield entry
            before = entry.key
        if root.findtext("IsTruncated", "") != "true":
            return
        following = _following(root, result, versions=parameters.versions)
        if all(query.get(name) == value for name, value in following.items()):
            raise CutError("paging-loops", http_status=result.status)
        query |= following


def _page(result: HttpResult, wanted: str, *, bucket: str, prefix: str) -> Element:
    """The listing that was asked for and no other: it names its bucket and its prefix."""
    try:
        root = parse(result)
    except UnreadableError as error:
        raise CutError(error.code, http_status=result.status) from None
    echoed = _said(root, root.findtext("Prefix", ""))
    if root.tag != wanted or root.findtext("Name") != bucket or echoed != prefix:
        raise CutError("unreadable-page", http_status=result.status, detail=f"{root.tag} {echoed}"[:200])
    if root.findtext("IsTruncated") not in {"true", "false"}:
        raise CutError("unreadable-page", http_status=result.status, detail="IsTruncated")
    return root


def _entries(root: Element, result: HttpResult) -> Iterator[Entry]:
    for element in root:
        if element.tag not in {"Contents", "Version", "DeleteMarker"}:
            continue
        key = _said(root, element.findtext("Key", ""))
        if not key:
            raise CutError("unreadable-item", http_status=result.status)
        if element.tag != "Contents" and element.findtext("IsLatest") != "true":
            continue
        size = element.findtext("Size", "0")
        yield Entry(
            key=key,
            etag=bare(element.findtext("ETag", "")),
            size=whole_number(size) or 0,
            modified=moment(element.findtext("LastModified")),
            deleted=element.tag == "DeleteMarker",
        )


def _following(root: Element, result: HttpResult, *, versions: bool) -> dict[str, str]:
    if versions:
        found = {
            "key-marker": _said(root, root.findtext("NextKeyMarker", "")),
            "version-id-marker": root.findtext("NextVersionIdMarker", ""),
        }
    else:
        found = {"continuation-token": root.findtext("NextContinuationToken", "")}
    if not next(iter(found.values())):
        raise CutError("unreadable-page", http_status=result.status, detail="truncated, and no way on")
    return {name: value for name, value in found.items() if value}


def _said(root: Element, text: str) -> str:
    """XML cannot say every character of a key: stores escape them when asked to, and say so."""
    return unquote_plus(text) if root.findtext("EncodingType", "") == "url" else text
