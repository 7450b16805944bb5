"""What a store's answer to a PUT, to the completion of parts, or to a DELETE proves.

A PUT is atomic: an error that the store itself speaks (its XML names a code) has stored nothing. What no store said is
looked up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import Answer, Outcome
from once_delivery.targets.http_json.documents import UnreadableError
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of
from once_delivery.targets.outcomes import outcome_of
from once_delivery.targets.s3.objects import bare
from once_delivery.targets.s3.payload import Thing
from once_delivery.targets.s3.store import CODES
from once_delivery.targets.s3.xml import error_of, parse, words_of

_OK, _NO_CONTENT = 200, 204
_ETAG = re.compile(r"[0-9A-Za-z._-]{8,128}")
_BY_CODE = {
    "PreconditionFailed": Outcome.EXISTS,
    # somebody else's write of this key is on its way: ours was not stored, theirs may be
    "ConditionalRequestConflict": Outcome.UNKNOWN,
    "OperationAborted": Outcome.UNKNOWN,
    # the body did not come in time: not stored, and the next try may be faster
    "RequestTimeout": Outcome.NOT_DONE,
    # perhaps completed, perhaps aborted
    "NoSuchUpload": Outcome.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Judge:
    """``marker`` is the one that the key carries; ``updates``: the request was for a known state of the object."""

    thing: Thing
    marker: str
    url: str
    updates: bool = False
    secrets: tuple[str, ...] = ()

    def stored(self, result: HttpResult) -> Answer:
        """After a PUT. DONE needs a word of the store's that it has these very bytes."""
        if result.status != _OK:
            return self._not_stored(result)
        doubt = result.cut or ("" if result.sent_whole else "answered-early") or self._doubt(result)
        return self._done(result, bare(result.headers.get("etag", "")), doubt)

    def completed(self, result: HttpResult) -> Answer:
        """After the completion of parts: the status comes before the work is done, the body tells how it ended."""
        if result.status != _OK or error_of(result)[0]:
            return self._not_stored(result)
        try:
            root = parse(result)
        except UnreadableError as error:
            return self._say(Outcome.UNKNOWN, result.cut or error.code, result)
        etag = bare(root.findtext("ETag", ""))  # Ceph 16 leaves it empty
        ours = root.tag == "CompleteMultipartUploadResult" and root.findtext("Key") == self.thing.key
        doubt = result.cut or ("" if ours and (not etag or _ETAG.fullmatch(etag)) else "no-key")
        return self._done(result, etag, doubt)

    def _doubt(self, result: HttpResult) -> str:
        if result.body.strip():
            return (
                "unexpected-body"  # a PUT is answered by headers alone; a page came from something in between
            )
        etag = bare(result.headers.get("etag", ""))
        if not _ETAG.fullmatch(etag):
            return "no-etag"
        echoed = result.headers.get("x-amz-checksum-sha256", "")
        if echoed and echoed != self.thing.checksum:
            return "checksum-mismatch"
        # the ETag of what is encrypted with a key of its own is not the MD5 of its bytes
        encrypted = "x-amz-server-side-encryption" in result.headers
        return "" if echoed or encrypted or etag == self.thing.etag else "etag-mismatch"

    def _done(self, result: HttpResult, etag: str, doubt: str) -> Answer:
        if doubt:
            return self._say(Outcome.UNKNOWN, doubt, result)
        return self._say(
            Outcome.DONE,
            "http-200",
            result,
            result_id=self.thing.key,
            marker=self.marker,
            url=self.url,
            version=etag,
        )

    def _not_stored(self, result: HttpResult) -> Answer:
        said = error_of(result)[0]
        wait = retry_after(result)
        outcome = _BY_CODE.get(said) or outcome_of(result.status, retry_after=wait is not None)
        if outcome in {Outcome.DONE, Outcome.ACCEPTED} or not said:
            outcome = Outcome.UNKNOWN  # not what a PUT answers, or not said by a store
        code = CODES.get(said, f"http-{result.status}")
        if self.updates and said == "NoSuchKey":
            code = "original-gone"
        elif self.updates and said == "PreconditionFailed":
            code = "changed-meanwhile"
        return self._say(outcome, code, result, retry_after_s=wait, detail=words_of(result))

    def _say(self, outcome: Outcome, code: str, result: HttpResult, **more: object) -> Answer:
        return answer_of(outcome, code, result, secrets=self.secrets, **more)


def removed(result: HttpResult, secrets: tuple[str, ...]) -> Answer:
    """After a DELETE."""
    if result.status == _NO_CONTENT:
        return answer_of(Outcome.DONE, "http-204", result)
    said = error_of(result)[0]
    outcome = outcome_of(result.status) if said else Outcome.UNKNOWN
    if outcome not in {Outcome.REFUSED, Outcome.NOT_DONE}:
        outcome = Outcome.UNKNOWN
    return answer_of(outcome, CODES.get(said, f"http-{result.status}"), result, secrets=secrets)
