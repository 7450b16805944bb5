"""Files in parts. Parts are no object: only the request that completes them can have an effect.

So whatever fails before it has made nothing, and it alone is judged like a PUT. A completion that comes late finds its
upload gone, when a later attempt has cleared away what earlier ones left.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import Answer, Outcome
from once_delivery.targets.http_json.documents import UnreadableError
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.sending import send_once, shown
from once_delivery.targets.s3.outcomes import Judge
from once_delivery.targets.s3.payload import Thing
from once_delivery.targets.s3.store import Reads
from once_delivery.targets.s3.xml import error_of, parse

_MOST_PARTS = 10_000
_NOTHING_MADE = frozenset({Outcome.REFUSED, Outcome.NOT_DONE})


def put_in_parts(
    reads: Reads, thing: Thing, judge: Judge, part_size: int, condition: Mapping[str, str]
) -> Answer:
    """Send the parts and complete them, each request once, all within the one end of time."""
    upload = ""
    try:
        _clear_away(reads, thing.key)
        upload = _begun(reads, thing)
        etags = _sent(reads, thing, upload, part_size)
        completion = _completion(etags)
        left = reads.left()
    except CutError as error:
        _abort(reads, thing.key, upload)
        return Answer(
            Outcome.NOT_DONE,
            f"parts-{error.code}",
            http_status=error.http_status,
            retry_after_s=error.retry_after_s,
            detail=shown(error.detail, judge.secrets),
        )
    except _RefusedError as refused:
        _abort(reads, thing.key, upload)
        return judge.stored(refused.result)
    request = reads.store.request(
        "POST",
        thing.key,
        deadline_s=left,
        query={"uploadId": upload},
        headers={"content-type": "application/xml", **condition},
        body=completion,
    )
    result = send_once(reads.store.client, request, judge.secrets)
    answer = result if isinstance(result, Answer) else judge.completed(result)
    if answer.outcome in {Outcome.EXISTS, *_NOTHING_MADE}:
        _abort(reads, thing.key, upload)
    return answer


class _RefusedError(Exception):
    """The store said no before anything was completed."""

    def __init__(self, result: HttpResult) -> None:
        super().__init__(result.status)
        self.result = result


def _ask(
    reads: Reads,
    method: str,
    key: str,
    *,
    query: Mapping[str, str],
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
) -> HttpResult:
    request = reads.store.request(
        method, key, deadline_s=reads.left(), query=query, headers=headers, body=body
    )
    result = send_once(reads.store.client, request, reads.store.secrets)
    if isinstance(result, Answer):
        raise CutError(result.code, detail=result.detail)
    if result.status in range(400, 500) and error_of(result)[0]:
        raise _RefusedError(result)
    return reads.fine(result)


def _begun(reads: Reads, thing: Thing) -> str:
    result = _ask(reads, "POST", thing.key, query={"uploads": ""}, headers=thing.headers)
    try:
        upload = parse(result).findtext("UploadId", "")
    except UnreadableError as error:
        raise CutError(error.code, http_status=result.status) from None
    if not upload:
        raise CutError("no-upload-id", http_status=result.status)
    return upload


def _sent(reads: Reads, thing: Thing, upload: str, part_size: int) -> list[str]:
    size = max(part_size, -(-len(thing.data) // _MOST_PARTS))
    etags = []
    for number, begin in enumerate(range(0, len(thing.data), size), start=1):
        query = {"partNumber": str(number), "uploadId": upload}
        result = _ask(reads, "PUT", thing.key, query=query, body=thing.data[begin : begin + size])
        etag = result.headers.get("etag", "")
        if not etag:
            raise CutError("no-etag", http_status=result.status)
        etags.append(etag)
    return etags


def _completion(etags: list[str]) -> bytes:
    root = ET.Element("CompleteMultipartUpload", xmlns="http://s3.amazonaws.com/doc/2006-03-01/")
    for number, etag in enumerate(etags, start=1):
        part = ET.SubElement(root, "Part")
        ET.SubElement(part, "PartNumber").text = str(number)
        ET.SubElement(part, "ETag").text = etag
    return ET.tostring(root)


def _clear_away(reads: Reads, key: str) -> None:
    """End what earlier attempts of this action left: the lease is ours, so no other sender is at work.

    An account that may not list uploads leaves them to the bucket's own rule (README.md of this folder).
    """
    try:
        root = parse(reads.fine(reads.result("GET", query={"uploads": "", "prefix": key})))
    except (CutError, UnreadableError):
        return
    for upload in root.iter("Upload"):
        if upload.findtext("Key") == key:
            _abort(reads, key, upload.findtext("UploadId", ""))


def _abort(reads: Reads, key: str, upload: str) -> None:
    """As well as it goes: what stays costs storage and is no object."""
    if not upload:
        return
    try:
        reads.result("DELETE", key, {"uploadId": upload})
    except CutError:
        return
