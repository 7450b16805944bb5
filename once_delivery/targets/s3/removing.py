"""Deleting one object for good. Of a key with versions, the one below would come to light."""

from __future__ import annotations

from once_delivery.targets.base import Answer, Outcome
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.sending import send_once, shown
from once_delivery.targets.s3.outcomes import removed
from once_delivery.targets.s3.store import Reads

_NOT_THERE = 404
_MOST_VERSIONS = 100


def remove(reads: Reads, key: str) -> Answer:
    """DONE when the key was there and is not any more."""
    store = reads.store
    begun = False
    try:
        for _version in range(_MOST_VERSIONS):
            head = reads.result("HEAD", key)
            if head.status == _NOT_THERE:
                return Answer(Outcome.DONE if begun else Outcome.REFUSED, "removed" if begun else "not-found")
            version = reads.fine(head).headers.get("x-amz-version-id", "")
            query = {"versionId": version} if version else {}
            request = store.request("DELETE", key, deadline_s=reads.left(), query=query)
            result = send_once(store.client, request, store.secrets)
            answer = result if isinstance(result, Answer) else removed(result, store.secrets)
            if answer.outcome != Outcome.DONE:
                return answer
            begun = True
    except CutError as error:
        outcome = Outcome.UNKNOWN if begun else Outcome.REFUSED
        detail = shown(error.detail, store.secrets)
        return Answer(outcome, error.code, http_status=error.http_status, detail=detail)
    return Answer(Outcome.UNKNOWN, "too-many-versions")
