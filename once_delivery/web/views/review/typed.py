"""What a person typed in the form of a decision: it is kept when the decision is refused."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from once_delivery.review.models import Verdict

VERDICTS = {
    # what a button says: the decision, and whether the next draft is wanted then
    "accept": (Verdict.ACCEPTED, False),
    "accept-next": (Verdict.ACCEPTED, True),
    "changes": (Verdict.CHANGES, True),
    "rejected": (Verdict.REJECTED, True),
}
TAKE_BACK = "take-back"


@dataclass(frozen=True, slots=True)
class Typed:
    """The fields of the form; nothing when it was not sent."""

    content_hash: str = ""
    do: str = ""
    reasons: tuple[str, ...] = ()
    text: str = ""
    confirmed: bool = False

    @classmethod
    def of(cls, post: QueryDict) -> Typed:
        return cls(
            content_hash=post.get("content_hash", ""),
            do=post.get("do", ""),
            reasons=tuple(post.getlist("reason")[:20]),
            text=post.get("text", ""),
            confirmed=post.get("confirmed") == "yes",
        )
