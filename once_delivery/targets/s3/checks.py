"""The connection test of a bucket. Reads only."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from xml.etree.ElementTree import Element

from once_delivery.common.http import HttpResult
from once_delivery.common.moments import mail_time_of
from once_delivery.targets.base import CheckResult, Kind
from once_delivery.targets.http_json.documents import UnreadableError
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.s3.listing import entries
from once_delivery.targets.s3.store import Reads, unreadable
from once_delivery.targets.s3.xml import parse

DEADLINE_S = 20.0
# nothing carries it: every real marker has 26 characters behind "once-"
_NOBODYS = "once-check"
_SKEW_S = 300.0  # S3 refuses signatures that are a quarter of an hour off
_OK = 200
_EVERYBODY = ("/groups/global/AllUsers", "/groups/global/AuthenticatedUsers")


def run_checks(reads: Reads) -> list[CheckResult]:
    """One line a question; where the bucket cannot be listed there is nothing more to ask."""
    parameters = reads.store.parameters
    drafts = parameters.keys[Kind.CREATE_DRAFT].prefix
    first = _attempt("bucket", lambda: next(entries(reads, drafts, page=1), None))
    if not first.ok:
        return [first]
    return [
        first,
        _attempt("clock", lambda: _clock(reads)),
        *(
            _attempt(f"look_up:{kind}", partial(_nothing, reads, template.beginning(_NOBODYS)))
            for kind, template in parameters.keys.items()
        ),
        _attempt("versions", lambda: _versions(reads)),
        _attempt("not-public", lambda: _not_public(reads)),
    ]


def _attempt(name: str, read: Callable[[], object]) -> CheckResult:
    try:
        read()
    except CutError as error:
        return CheckResult(name, ok=False, code=error.code, detail=error.detail)
    return CheckResult(name, ok=True)


def _clock(reads: Reads) -> None:
    """Signatures carry the time."""
    result = reads.result("GET", query={"list-type": "2", "max-keys": "0"})
    theirs = mail_time_of(result.headers.get("date", ""))
    if theirs is None:
        return
    apart = abs((datetime.now(UTC) - theirs).total_seconds())
    if apart > _SKEW_S:
        raise CutError("clock-skewed", detail=f"{apart:.0f} s")


def _nothing(reads: Reads, prefix: str) -> None:
    if next(entries(reads, prefix, page=1), None) is not None:
        raise CutError("filter-ignored")


def _versions(reads: Reads) -> None:
    """A bucket that keeps versions hides what was deleted from a plain listing, where it would pass for absent."""
    if reads.store.parameters.versions:
        return  # the listing above was one of versions
    result = reads.result("GET", query={"versioning": ""})
    if result.status != _OK:
        return  # not for us to know, or a store without versions
    if _document(result).findtext("Status", "") in {"Enabled", "Suspended"}:
        raise CutError("bucket-has-versions", detail="declare versions: true")


def _not_public(reads: Reads) -> None:
    """Asked as a stranger, and of the bucket's own rules as far as this account may read them."""
    store = reads.store
    if reads.result("GET", query={"list-type": "2", "max-keys": "0"}, signed=False).status == _OK:
        raise CutError("bucket-is-public", detail="anybody may list it")
    tried = 0
    for template in store.parameters.keys.values():
        shown = next((one for one in entries(reads, template.prefix, page=20) if not one.deleted), None)
        tried += shown is not None
        if shown is not None and reads.result("HEAD", shown.key, signed=False).status == _OK:
            raise CutError("bucket-is-public", detail=f"anybody may read {shown.key}"[:300])
    policy = reads.result("GET", query={"policyStatus": ""})
    # Ceph 16 calls every policy a public one: what was tried is the better witness
    if not tried and policy.status == _OK and _document(policy).findtext("IsPublic", "").lower() == "true":
        raise CutError("bucket-is-public", detail="by its policy")
    acl = reads.result("GET", query={"acl": ""})
    if acl.status == _OK and any((uri.text or "").endswith(_EVERYBODY) for uri in _document(acl).iter("URI")):
        raise CutError("bucket-is-public", detail="by its access control list")


def _document(result: HttpResult) -> Element:
    try:
        return parse(result)
    except UnreadableError:
        raise unreadable(result) from None
