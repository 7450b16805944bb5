"""Send a request that could have an effect, once, and say what is known when nothing came back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from once_delivery.common import redact
from once_delivery.common.http import HttpClient, HttpRequest, HttpResult, NoAnswerError, NotSentError
from once_delivery.targets.base import Answer, Outcome

# no request can be made of this payload or declaration: trying again would change nothing
_OURS = frozenset({"bad-url", "bad-request"})
_NAMED = frozenset({Outcome.DONE, Outcome.ACCEPTED})


def send_once(client: HttpClient, request: HttpRequest, secrets: Iterable[str] = ()) -> HttpResult | Answer:
    """What the target answered; an Answer when it did not."""
    try:
        return client.send(request)
    except NotSentError as error:
        outcome = Outcome.REFUSED if error.code in _OURS else Outcome.NOT_SENT
        return Answer(outcome, error.code, detail=shown(error.detail, secrets))
    except NoAnswerError as error:
        return Answer(Outcome.UNKNOWN, error.code, detail=shown(error.detail, secrets))


def answer_of(
    outcome: Outcome, code: str, result: HttpResult, *, secrets: Iterable[str] = (), **more: Any
) -> Answer:
    """An Answer with the evidence: what was done is proven by its ID, what was not by the target's words."""
    excerpt = "" if outcome in _NAMED else redact.excerpt(result.body, secrets)
    return Answer(outcome=outcome, code=code, http_status=result.status, excerpt=excerpt, **more)


def shown(detail: str, secrets: Iterable[str] = ()) -> str:
    """A detail as it may be stored."""
    return redact.text(detail, secrets)[:500]
