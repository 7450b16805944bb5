"""What an answer to a request with an effect proves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import Answer, FoundObject, Outcome
from once_delivery.targets.http_json.documents import MISSING, UnreadableError, parse_json
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of
from once_delivery.targets.outcomes import outcome_of
from once_delivery.targets.rest.spec import Effect, Remove

_NOT_DONE = frozenset({Outcome.REFUSED, Outcome.NOT_DONE, Outcome.NOT_SENT})


@dataclass(frozen=True, slots=True)
class Expected:
    """What an answer must show to be that of our request; ``result_id`` is empty where the target chooses it."""

    marker: str
    result_id: str = ""


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the answers of one API; ``secrets`` never get into what it says."""

    html_errors: bool = False
    secrets: tuple[str, ...] = ()

    def judge(self, expected: Expected, effect: Effect, result: HttpResult) -> Answer:
        """DONE and ACCEPTED need proof; anything that cannot be read is UNKNOWN."""
        if result.cut:
            return self._answer(Outcome.UNKNOWN, result.cut, result)
        document, unreadable = _document(result)
        wait = retry_after(result)
        for rule in effect.rules:
            if rule.fits(result.status, document, result.body):
                named = rule.identifier(document)
                return self._answer(rule.outcome, rule.code, result, result_id=named, retry_after_s=wait)
        outcome = outcome_of(result.status, retry_after=wait is not None, overrides=effect.overrides)
        if outcome in {Outcome.DONE, Outcome.ACCEPTED}:
            doubt = "" if result.sent_whole else "answered-early"
            return self._success(expected, effect, result, document, doubt or unreadable)
        if outcome == Outcome.REFUSED and unreadable == "html" and not self.html_errors:
            # a proxy's page: what stands behind it may have done its work
            return self._answer(Outcome.UNKNOWN, "html", result)
        return self._answer(outcome, f"http-{result.status}", result, retry_after_s=wait)

    def _success(
        self, expected: Expected, effect: Effect, result: HttpResult, document: Any, doubt: str
    ) -> Answer:
        found = None if doubt else effect.answer.find(document, result.headers)
        if found is None:
            return self._answer(Outcome.UNKNOWN, doubt or "no-id", result)
        doubt = _doubt(expected, effect, found)
        if doubt:
            return self._answer(Outcome.UNKNOWN, doubt, result, marker=found.marker)
        finished = found.finished and not found.failed
        if outcome_of(result.status) == Outcome.ACCEPTED and not effect.answer.has_state:
            # "will be done later" without a declared way to see that it was
            return self._answer(Outcome.UNKNOWN, "http-202", result, marker=found.marker)
        return self._answer(
            Outcome.DONE if finished else Outcome.ACCEPTED,
            f"http-{result.status}",
            result,
            result_id=found.result_id,
            marker=found.marker,
            url=found.url,
            usage=found.usage,
            version=found.version,
        )

    def removed(self, remove: Remove, answer: HttpResult | Answer) -> Answer:
        """Whether one object is gone: DONE, REFUSED or UNKNOWN."""
        if isinstance(answer, Answer):
            return replace(answer, outcome=Outcome.REFUSED) if answer.outcome in _NOT_DONE else answer
        code = answer.cut or f"http-{answer.status}"
        outcome = outcome_of(answer.status, overrides=remove.overrides)
        document, unreadable = _document(answer)
        if outcome in _NOT_DONE and unreadable == "html" and not self.html_errors:
            return self._answer(Outcome.UNKNOWN, "html", answer)
        if (
            outcome == Outcome.DONE
            and unreadable
            and any(rule.status == answer.status for rule in remove.rules)
        ):
            return self._answer(Outcome.UNKNOWN, unreadable, answer)  # its document has the last word
        for rule in () if answer.cut else remove.rules:
            if rule.fits(answer.status, document, answer.body):
                outcome, code = rule.outcome, rule.code
                break
        if outcome == Outcome.DONE and not answer.cut and answer.sent_whole:
            return self._answer(Outcome.DONE, code, answer)
        return self._answer(Outcome.REFUSED if outcome in _NOT_DONE else Outcome.UNKNOWN, code, answer)

    def _answer(self, outcome: Outcome, code: str, result: HttpResult, **more: Any) -> Answer:
        return answer_of(outcome, code, result, secrets=self.secrets, **more)


def _doubt(expected: Expected, effect: Effect, found: FoundObject) -> str:
    """Why this may be the answer to something else."""
    if effect.answer.has_marker and found.marker is None:
        return "marker-missing"
    if effect.answer.has_marker and found.marker != expected.marker:
        return "marker-mismatch"
    if expected.result_id and found.result_id.lower() != expected.result_id.lower():
        return "id-mismatch"
    return ""


def _document(result: HttpResult) -> tuple[Any, str]:
    content_type = result.headers.get("content-type", "")
    try:
        return parse_json(result.body, content_type), ""
    except UnreadableError as error:
        return MISSING, error.code
