"""Pictures: every upload makes a new file, and there is no list of them.

The file's name is our marker, and Ghost puts it under the month of the upload, where anybody can ask for it. So a picture
can be found again; that there is none cannot be proven, since a site may keep its files elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from urllib3.filepost import encode_multipart_formdata

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import (
    Answer,
    EffectRequest,
    FoundObject,
    Look,
    LookUpRequest,
    Outcome,
    Verdict,
)
from once_delivery.targets.content import PayloadError, file_of
from once_delivery.targets.ghost.site import Site, error_of
from once_delivery.targets.http_json.documents import UnreadableError, parse_json
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.reading import cannot_tell, fine, retry_after
from once_delivery.targets.http_json.sending import answer_of
from once_delivery.targets.http_json.values import identifier
from once_delivery.targets.outcomes import outcome_of

NO_PROOF = "cannot-list-files"
FOLDER = "/content/images/"
# what Ghost takes as a picture
ENDINGS = {
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/svg+xml": "svg",
}
_CREATED, _NOT_FOUND = 201, 404
# a site counts the months by its own clock
_MONTHS_AWAY = (timedelta(0), timedelta(hours=14), timedelta(hours=-14), timedelta(days=-31))


def image_body(request: EffectRequest) -> tuple[bytes, str]:
    """The upload and its content type; raises PayloadError when there is no picture."""
    file = file_of(request)
    ending = ENDINGS.get(file.media_type)
    if ending is None:
        raise PayloadError("media-type-not-accepted", file.media_type or file.name)
    parts: list[tuple[str, str | tuple[str, bytes, str]]] = [
        ("purpose", "image"),
        ("ref", request.marker),
        ("file", (f"{request.marker}.{ending}", file.data, file.media_type)),
    ]
    mark = hashlib.sha256(f"{request.marker} {file.sha256}".encode()).hexdigest()[:40]
    return encode_multipart_formdata(parts, boundary=f"once-{mark}")


def uploaded(marker: str, result: HttpResult, secrets: tuple[str, ...]) -> Answer:
    """DONE needs an address with our name in it, as it was sent, and our reference."""
    said = _image(result)
    url = identifier(said.get("url"))
    if result.status == _CREATED and not result.cut and url:
        name = url.rpartition("/")[2].partition(".")[0]
        doubt = "" if said.get("ref") == marker else "marker-mismatch"
        if not doubt and name != marker:
            doubt = "name-suffixed"  # something had the name before: perhaps an earlier one of ours
        if doubt:
            return answer_of(Outcome.UNKNOWN, doubt, result, secrets=secrets)
        return answer_of(
            Outcome.DONE, "http-201", result, secrets=secrets, result_id=url, marker=marker, url=url
        )
    wait = retry_after(result)
    outcome = outcome_of(result.status, retry_after=wait is not None)
    code = result.cut or f"http-{result.status}"
    error = error_of(result)
    if result.cut or outcome in {Outcome.DONE, Outcome.ACCEPTED} or not error:
        outcome = Outcome.UNKNOWN
    detail = ": ".join(str(error[name]) for name in ("message", "context") if error.get(name))
    return answer_of(outcome, code, result, secrets=secrets, retry_after_s=wait, detail=detail[:500])


def look(site: Site, request: LookUpRequest) -> Look:
    """Found where Ghost keeps its own files, or not told."""
    named = request.payload.get("file")
    media_type = named.get("media_type") if isinstance(named, Mapping) else None
    ending = ENDINGS.get(media_type) if isinstance(media_type, str) else None
    if ending is None:
        return cannot_tell("address", CutError(NO_PROOF))
    try:
        for month in _months(datetime.now(UTC)):
            url = f"{site.parameters.site_url}{FOLDER}{month}/{request.marker}.{ending}"
            if _is_there(site, url):
                return Look(Verdict.FOUND, "address", complete=True, objects=(_object(url, request.marker),))
    except CutError as error:
        return cannot_tell("address", error)
    return cannot_tell("address", CutError(NO_PROOF))


def read(site: Site, url: str) -> Look:
    """The file of an upload, by its address."""
    if not url.startswith(f"{site.parameters.site_url}{FOLDER}"):
        return cannot_tell("address", CutError(NO_PROOF))
    try:
        there = _is_there(site, url)
    except CutError as error:
        return cannot_tell("address", error)
    if not there:
        return cannot_tell("address", CutError(NO_PROOF))
    marker = url.rpartition("/")[2].partition(".")[0]
    return Look(Verdict.FOUND, "address", complete=True, objects=(_object(url, marker),))


def _is_there(site: Site, url: str) -> bool:
    """Asked without our key, as a reader asks; raises CutError."""
    result = Reader(site.client, "", site.ends).result(url)
    if result.status == _NOT_FOUND:
        return False
    return fine(result).headers.get("content-type", "").startswith("image/")


def _object(url: str, marker: str) -> FoundObject:
    return FoundObject(url, marker, url=url, status="uploaded", title=marker)


def _months(now: datetime) -> Iterator[str]:
    return iter(dict.fromkeys((now + away).strftime("%Y/%m") for away in _MONTHS_AWAY))


def _image(result: HttpResult) -> Mapping[str, Any]:
    try:
        document = parse_json(result.body, result.headers.get("content-type", ""))
    except UnreadableError:
        return {}
    images = document.get("images") if isinstance(document, Mapping) else None
    image = images[0] if isinstance(images, list) and len(images) == 1 else None
    return image if isinstance(image, Mapping) else {}
