"""Updating in place: a second update for a state that is over must be refused."""

from __future__ import annotations

from once_delivery.targets.base import Answer, EffectRequest, FoundObject, Kind, Original, Outcome
from once_delivery.targets.base import Verdict as Saw
from once_delivery.targets.probing.drafts import Draft, new_marker
from once_delivery.targets.probing.findings import Claim, Finding, NotMeasuredError, Verdict
from once_delivery.targets.probing.guarding import first
from once_delivery.targets.probing.lab import Lab

FIRST_WORDS, SECOND_WORDS = "first update · 第一次更新", "second update · 第二次更新"


def version_guard(lab: Lab) -> list[Finding]:
    """Two updates for one version: the second must leave the text of the first."""
    if lab.extent.kind != Kind.CREATE_DRAFT:
        raise NotMeasuredError("not-declared")
    draft, answer = first(lab)
    before = _read(lab, draft, answer.result_id)
    if not before.version:
        raise NotMeasuredError("no-version")
    original = Original(answer.result_id, draft.marker, before.version)
    one = _update(lab, draft, original, FIRST_WORDS)
    if one.code == "kind-not-declared":
        raise NotMeasuredError("not-declared")
    if one.outcome != Outcome.DONE:
        raise NotMeasuredError("update-not-done", code=one.code)
    if FIRST_WORDS not in _title(_read(lab, draft, answer.result_id)):
        return [_finding(Verdict.REFUTED, "update-changed-nothing", one)]
    two = _update(lab, draft, original, SECOND_WORDS)
    title = _title(_read(lab, draft, answer.result_id))
    if SECOND_WORDS in title:
        return [_finding(Verdict.REFUTED, "stale-update-taken", two)]
    if FIRST_WORDS not in title:
        return [_finding(Verdict.REFUTED, "text-lost", two)]
    return [_finding(Verdict.CONFIRMED, "stale-update-refused", two)]


def _update(lab: Lab, draft: Draft, original: Original, words: str) -> Answer:
    payload = {**draft.payload, "title": f"{draft.payload['title']} {words}"}
    request = EffectRequest(
        Kind.UPDATE_DRAFT, new_marker(), "", "", payload, lab.profile.deadline_s, original=original
    )
    return lab.effect(draft, request)


def _read(lab: Lab, draft: Draft, result_id: str) -> FoundObject:
    look = lab.read(draft.kind, result_id)
    if look.verdict != Saw.FOUND or len(look.objects) != 1:
        raise NotMeasuredError("cannot-be-read", code=look.code)
    return look.objects[0]


def _title(found: FoundObject) -> str:
    return found.content.get("title") or found.title


def _finding(verdict: Verdict, seen: str, answer: Answer) -> Finding:
    numbers = {"outcome": answer.outcome, "code": answer.code}
    return Finding(Claim.UPDATE, "version", verdict, seen, numbers)
