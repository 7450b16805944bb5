"""What an answer to a request with an effect proves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import Answer, EffectRequest, FoundObject, Outcome
from once_delivery.targets.http_json.documents import MISSING, UnreadableError, parse_json
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of
from once_delivery.targets.outcomes import outcome_of
from once_delivery.targets.rest.spec import Create


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the answers of one API; ``secrets`` never get into what it says."""

    html_errors: bool = False
    secrets: tuple[str, ...] = ()

    def judge(self, request: EffectRequest, create: Create, result: HttpResult) -> Answer:
        """DONE and ACCEPTED need proof; anything that cannot be read is UNKNOWN."""
        if result.cut:
            return self._answer(Outcome.UNKNOWN, result.cut, result)
        document, unreadable = _document(result)
        for rule in create.exists:
            if rule.fits(result.status, document, result.body):
                return self._answer(Outcome.EXISTS, rule.code, result, result_id=rule.identifier(document))
        wait = retry_after(result)
        outcome = outcome_of(result.status, retry_after=wait is not None, overrides=create.overrides)
        if outcome in {Outcome.DONE, Outcome.ACCEPTED}:
            doubt = "" if result.sent_whole else "answered-early"
            return self._success(request, create, result, document, doubt or unreadable)
        if outcome == Outcome.REFUSED and unreadable == "html" and not self.html_errors:
            # a proxy's page: what stands behind it may have done its work
            return self._answer(Outcome.UNKNOWN, "html", result)
        return self._answer(outcome, f"http-{result.status}", result, retry_after_s=wait)

    def _success(
        self, request: EffectRequest, create: Create, result: HttpResult, document: Any, doubt: str
    ) -> Answer:
        found = None if doubt else create.answer.find(document)
        if found is None:
            return self._answer(Outcome.UNKNOWN, doubt or "no-id", result)
        doubt = _doubt(request, create, found)
        if doubt:
            return self._answer(Outcome.UNKNOWN, doubt, result, marker=found.marker)
        finished = found.finished and not found.failed
        if outcome_of(result.status) == Outcome.ACCEPTED and not create.answer.has_state:
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
        )

    def _answer(self, outcome: Outcome, code: str, result: HttpResult, **more: Any) -> Answer:
        return answer_of(outcome, code, result, secrets=self.secrets, **more)


def _doubt(request: EffectRequest, create: Create, found: FoundObject) -> str:
    """Why this may be the answer to something else."""
    if create.answer.has_marker and found.marker is None:
        return "marker-missing"
    if create.answer.has_marker and found.marker != request.marker:
        return "marker-mismatch"
    if create.client_chosen_id and found.result_id.lower() != request.client_id.lower():
        return "id-mismatch"
    return ""


def _document(result: HttpResult) -> tuple[Any, str]:
    content_type = result.headers.get("content-type", "")
    try:
        return parse_json(result.body, content_type), ""
    except UnreadableError as error:
        return MISSING, error.code
