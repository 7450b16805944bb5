"""What a service's answer to a submit proves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import Answer, Outcome
from once_delivery.targets.http_json.documents import UnreadableError, parse_json
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of
from once_delivery.targets.jobs.objects import Sought
from once_delivery.targets.jobs.rules import first_fitting
from once_delivery.targets.jobs.spec import Submit
from once_delivery.targets.outcomes import outcome_of

_GIVEN = frozenset({Outcome.DONE, Outcome.ACCEPTED})


@dataclass(frozen=True, slots=True)
class Judge:
    """ACCEPTED and DONE need an ID that can be read; what cannot be read is UNKNOWN."""

    submit: Submit
    secrets: tuple[str, ...] = ()

    def judge(self, whose: Sought, result: HttpResult) -> Answer:
        if result.cut:
            return self._say(Outcome.UNKNOWN, result.cut, result)
        try:
            document = parse_json(result.body, result.headers.get("content-type", ""))
        except UnreadableError as error:
            # a proxy's page, or nothing: what stands behind it may have done its work
            return self._say(Outcome.UNKNOWN, error.code, result, retry_after_s=retry_after(result))
        rule = first_fitting(self.submit.rules, result.status, document)
        wait = retry_after(result)
        outcome = outcome_of(result.status, retry_after=wait is not None)
        if rule is not None and rule.outcome is not None:
            return self._say(rule.outcome, rule.code or f"http-{result.status}", result, retry_after_s=wait)
        if outcome in _GIVEN:
            return self._given(whose, document, result)
        return self._say(outcome, f"http-{result.status}", result, retry_after_s=wait)

    def _given(self, whose: Sought, document: Any, result: HttpResult) -> Answer:
        found = self.submit.job.find(document, whose, result.headers)
        if found is None:
            return self._say(Outcome.UNKNOWN, "no-id", result)
        if self.submit.job.has_marker and found.marker != whose.marker:
            doubt = "marker-missing" if found.marker is None else "marker-mismatch"
            return self._say(Outcome.UNKNOWN, doubt, result, marker=found.marker)
        if not result.sent_whole:
            return self._say(Outcome.UNKNOWN, "answered-early", result)
        return self._say(
            Outcome.DONE if self.submit.at_once else Outcome.ACCEPTED,
            f"http-{result.status}",
            result,
            result_id=found.result_id,
            marker=found.marker,
            url=found.url,
            usage=found.usage,
        )

    def _say(self, outcome: Outcome, code: str, result: HttpResult, **more: Any) -> Answer:
        return answer_of(outcome, code, result, secrets=self.secrets, **more)
