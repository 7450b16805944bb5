"""An acceptance that was taken back: what it came to, who may answer, and what holds now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from once_delivery.accounts.models import User
from once_delivery.ledger.models import Task
from once_delivery.review.models import Asset, Reason, Review, Revocation, RevocationStatus
from once_delivery.review.revocations import revocation_of
from once_delivery.review.services.revoke import approvers_of
from once_delivery.web.permits import may_administer
from once_delivery.web.wording import Words

_NOTHING_TO_TELL = {RevocationStatus.SLIP, RevocationStatus.AGAIN}


@dataclass(frozen=True, slots=True)
class TakenBack:
    """``again``: the acceptance that came after the client had agreed; people, may_...: only while it is asked."""

    revocation: Revocation
    again: Review | None
    people: Sequence[User]
    may_answer: bool
    may_invite: bool

    @property
    def asked(self) -> bool:
        return self.revocation.status == RevocationStatus.ASKED

    @property
    def reasons(self) -> list[Words]:
        return reasons_of(self.revocation.review)


def taken_back(task: Task, user: User) -> TakenBack | None:
    """The latest one of ``task`` as ``user`` sees it; None when nothing is left to tell of it."""
    found = revocation_of(task)
    if found is None or found.status in _NOTHING_TO_TELL:
        return None
    people = approvers_of(found) if found.status == RevocationStatus.ASKED else []
    return TakenBack(
        revocation=found,
        again=_accepted_since(task) if found.status == RevocationStatus.GIVEN else None,
        people=people,
        may_answer=user in people,
        may_invite=may_administer(user, found.project),
    )


def reasons_of(review: Review) -> list[Words]:
    """The reasons that were ticked, in words."""
    return [Reason(reason).label for reason in review.reasons if reason in Reason.values]


def _accepted_since(task: Task) -> Review | None:
    standing = Asset.objects.filter(task=task, withdrawn_at__isnull=True)
    asset = standing.select_related("review__user", "review__link").first()
    return asset.review if asset else None
