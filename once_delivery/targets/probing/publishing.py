"""May the account publish, and is what was created still a draft, by the target's own words."""

from __future__ import annotations

from once_delivery.targets.base import Kind
from once_delivery.targets.probing.findings import Claim, Finding, NotMeasuredError, Verdict
from once_delivery.targets.probing.guarding import first
from once_delivery.targets.probing.lab import Lab

_LINE = "cannot-publish"  # of a connection test
_MAY = "may-publish"
_PUBLIC = frozenset({"publish", "published", "public", "live", "active"})


def account(lab: Lab) -> list[Finding]:
    """What the connector's own connection test says of the account."""
    try:
        lines = {line.name: line for line in lab.connector.check()}
    except Exception as error:  # noqa: BLE001 - a fault in a connector tells nothing about the account
        raise NotMeasuredError("cannot-tell", code=type(error).__name__) from None
    line = lines.get(_LINE)
    if line is None:
        raise NotMeasuredError("check-does-not-tell")
    if line.ok:
        return [Finding(Claim.CANNOT_PUBLISH, "true", Verdict.CONFIRMED, "may-not-publish")]
    if line.code == _MAY:
        return [Finding(Claim.CANNOT_PUBLISH, "true", Verdict.REFUTED, _MAY)]
    raise NotMeasuredError("cannot-tell", code=line.code)


def drafts_stay(lab: Lab) -> list[Finding]:
    """The status words of everything that the probe saw of its own; one is made for it where none was seen yet."""
    if lab.extent.kind != Kind.CREATE_DRAFT:
        raise NotMeasuredError("only-drafts-are-drafts")
    if not lab.statuses:
        draft, answer = first(lab)
        for look in (lab.look(draft, result_id=answer.result_id), lab.read(draft.kind, answer.result_id)):
            lab.statuses |= {one.status for one in look.objects if one.status}
    if not lab.statuses:
        raise NotMeasuredError("no-status")
    words = sorted(lab.statuses)
    public = any(word.strip().lower() in _PUBLIC for word in words)
    verdict = Verdict.REFUTED if public else Verdict.CONFIRMED
    seen = "created-in-public" if public else "not-in-public"
    return [Finding(Claim.STAYS_DRAFT, "true", verdict, seen, {"words": words})]
