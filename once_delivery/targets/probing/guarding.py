"""Does the guard hold: create twice, many at once, and again with other words (DESIGN section 5, R9)."""

from __future__ import annotations

from dataclasses import dataclass

from once_delivery.targets.base import Answer, Outcome
from once_delivery.targets.base import Verdict as Saw
from once_delivery.targets.probing.census import Count, census, one_each
from once_delivery.targets.probing.drafts import OTHER_WORDS, Draft
from once_delivery.targets.probing.findings import Claim, Finding, NotMeasuredError, Verdict, worst
from once_delivery.targets.probing.lab import Lab
from once_delivery.targets.profile import Guard

PROTECTS = (Guard.CLIENT_ID, Guard.IDEMPOTENCY_KEY)


@dataclass(frozen=True, slots=True)
class _Trial:
    draft: Draft
    answers: list[Answer]
    at_once: int = 1


def protection(lab: Lab) -> list[Finding]:
    """For a target that claims to keep a second object away by itself."""
    twice = _twice(lab, words="")
    other = _twice(lab, words=OTHER_WORDS)
    racing = lab.profile.concurrency > 1
    races = [_race(lab) for _ in range(lab.extent.rounds if racing else 0)]
    counts = census(lab, [(one.draft, one.answers) for one in (twice, other, *races)])
    parts = [
        _second_create(lab, twice, counts[twice.draft.marker]),
        _at_once(lab, races, [counts[one.draft.marker] for one in races]),
        _other_content(lab, other, counts[other.draft.marker]),
    ]
    return [_together(lab, parts), *parts]


def first(lab: Lab) -> tuple[Draft, Answer]:
    """One that was made; raises NotMeasuredError when the target makes none."""
    draft = lab.draft()
    answer = lab.create(draft)
    if answer.outcome != Outcome.DONE or not answer.result_id:
        raise NotMeasuredError("nothing-was-made", code=answer.code)
    return draft, answer


def _twice(lab: Lab, *, words: str) -> _Trial:
    draft, answer = first(lab)
    return _Trial(draft, [answer, lab.create(draft, words=words, again=True)])


def _race(lab: Lab) -> _Trial:
    draft = lab.draft()
    answers = lab.create_at_once(draft)
    at_once = len(answers)
    if lab.profile.guard == Guard.IDEMPOTENCY_KEY:
        # while the first ran the others may have been turned away: which answer is replayed is seen now
        answers.append(lab.create(draft, again=True))
    return _Trial(draft, answers, at_once)


def _second_create(lab: Lab, trial: _Trial, count: Count) -> Finding:
    second = trial.answers[1]
    numbers = {"ids": sorted(count.ids), "outcome": second.outcome, "code": second.code, "by": list(count.by)}
    verdict, seen = _judged([count], "second-made-nothing", "second-made-another")
    return Finding(Claim.SECOND_CREATE, lab.profile.guard, verdict, seen, numbers)


def _at_once(lab: Lab, races: list[_Trial], counts: list[Count]) -> Finding:
    numbers = {
        "rounds": len(races),
        "at_once": max((one.at_once for one in races), default=0),
        "most": max((len(one.ids) for one in counts), default=0),
        "by": sorted({how for one in counts for how in one.by}),
    }
    raced = min((one.at_once for one in races), default=0) > 1
    verdict, seen = _judged(counts, "one-in-every-round", "several-in-a-round")
    if not raced and verdict != Verdict.REFUTED:
        verdict, seen = Verdict.NOT_MEASURED, "one-at-a-time"
    return Finding(Claim.AT_ONCE, lab.profile.guard, verdict, seen, numbers)


def _judged(counts: list[Count], good: str, bad: str) -> tuple[Verdict, str]:
    try:
        return (Verdict.CONFIRMED, good) if one_each(counts) else (Verdict.REFUTED, bad)
    except NotMeasuredError as error:
        return Verdict.NOT_MEASURED, error.seen


def _other_content(lab: Lab, trial: _Trial, count: Count) -> Finding:
    """Nothing may be overwritten, and nothing may be made beside it."""
    first_answer, second = trial.answers
    numbers = {"ids": sorted(count.ids), "outcome": second.outcome, "code": second.code}
    guard = lab.profile.guard
    if len(count.ids) > 1:
        return Finding(Claim.OTHER_CONTENT, guard, Verdict.REFUTED, "other-made-another", numbers)
    title = _title(lab, trial.draft, first_answer.result_id)
    if title is None:
        return Finding(Claim.OTHER_CONTENT, guard, Verdict.NOT_MEASURED, "cannot-be-read", numbers)
    if OTHER_WORDS in title:
        return Finding(Claim.OTHER_CONTENT, guard, Verdict.REFUTED, "overwritten", numbers)
    seen = "other-replayed-silently" if second.outcome == Outcome.DONE else "other-refused"
    return Finding(Claim.OTHER_CONTENT, guard, Verdict.CONFIRMED, seen, numbers)


def _title(lab: Lab, draft: Draft, result_id: str) -> str | None:
    """What stands there now; None when it cannot be read."""
    looks = [lab.read(draft.kind, result_id)]
    if lab.profile.look_up:
        looks.append(lab.look(draft))
    for look in looks:
        for found in look.objects if look.verdict == Saw.FOUND else ():
            title = found.content.get("title") or found.title
            if found.result_id == result_id and title:
                return title
    return None


def _together(lab: Lab, parts: list[Finding]) -> Finding:
    """The guard stands when a second create and a race made nothing; our own ID must not overwrite either."""
    # a key protects equal requests; what it does with unequal ones the ledger never needs
    needed = parts if lab.profile.guard == Guard.CLIENT_ID else parts[:2]
    verdict = worst(part.verdict for part in needed)
    why = next((part for part in needed if part.verdict == verdict), parts[0])
    seen = "guard-held" if verdict == Verdict.CONFIRMED else why.seen
    return Finding(Claim.GUARD, lab.profile.guard, verdict, seen, why.numbers)
