"""Take an acceptance back, and answer for the client whether it still counts."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy, gettext_noop

from once_delivery.accounts.access import role_of
from once_delivery.accounts.clients import client_approvers
from once_delivery.accounts.models import Role, User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Task
from once_delivery.notices.models import Event
from once_delivery.notices.services.announce import announce
from once_delivery.review.models import Asset, Review, Revocation, RevocationStatus, Verdict

SLIP = timedelta(minutes=15)  # who takes back their own acceptance so soon had not meant it
LONGEST = 4000


class RevocationOverError(DomainError):
    """Answered already, or accepted again meanwhile."""

    code = "revocation-over"
    template = gettext_noop("This was answered already, or the draft was accepted again meanwhile.")


class NotYoursToAnswerError(DomainError):
    """Whether an acceptance still counts is the client's to say, and never of who took it back."""

    code = "not-yours-to-revoke"
    template = gettext_noop("“%(user)s” may not answer for the client here.")


def take_back_acceptance(*, task: Task, review: Review) -> Revocation | None:
    """Afterwards the task has no standing asset; ``review`` is what took it back. None: there was none.

    It counts on until the client has agreed, unless it is a client approver who took it back, signed in, or who had
    accepted it minutes ago. Through a link it is asked: whoever made the link could have used it. To be called in the
    transaction of the decision.
    """
    asset = Asset.objects.filter(task=task, withdrawn_at__isnull=True).select_related("review").first()
    if asset is None:
        return None
    Asset.objects.filter(pk=asset.pk).update(withdrawn_at=review.at)
    revocation = Revocation.objects.create(
        project_id=task.project_id,
        asset=asset,
        review=review,
        status=_status(asset, review),
        asked_at=review.at,
    )
    if revocation.status == RevocationStatus.ASKED:
        _tell(
            revocation,
            Event.APPROVAL_ASKED,
            approvers_of(revocation),
            by=_name(review.user) if review.link is None else review.link.approver,
            words=review.text,
        )
    return revocation


def accepted_again(*, task: Task) -> None:
    """Afterwards what was taken back of ``task`` counts no more: the new acceptance counts in its place."""
    Revocation.objects.filter(
        asset__task=task, status__in=[RevocationStatus.ASKED, RevocationStatus.DENIED]
    ).update(status=RevocationStatus.AGAIN)


def question_answered_by(*, task: Task, verdict: Verdict, user: User | None) -> Revocation | None:
    """The open question about an acceptance of ``task`` that ``user`` answers by deciding so: a client approver, or who
    may answer it otherwise, rejects the draft or asks for changes."""
    if user is None or verdict not in {Verdict.REJECTED, Verdict.CHANGES}:
        return None
    asked = Revocation.objects.filter(asset__task=task, status=RevocationStatus.ASKED)
    found = asked.select_related("project", "asset__task", "review__user", "review__link").first()
    if found is None:
        return None
    says = role_of(user, found.project) == Role.CLIENT_APPROVER or user in approvers_of(found)
    return found if says else None


def answer_revocation(*, revocation: Revocation, user: User, agree: bool, words: str = "") -> None:
    """Afterwards the acceptance counts no more, or it counts on although it was taken back.

    Raises NotYoursToAnswerError, RevocationOverError.
    """
    if user not in approvers_of(revocation):
        raise NotYoursToAnswerError(user=user.username)
    write_answer(revocation=revocation, user=user, agree=agree, words=words)


def write_answer(*, revocation: Revocation, user: User, agree: bool, words: str) -> None:
    """The answer of ``user``, who may give it. Raises RevocationOverError."""
    said = storable(words).strip()[:LONGEST]
    with transaction.atomic():
        changed = Revocation.objects.filter(pk=revocation.pk, status=RevocationStatus.ASKED).update(
            status=RevocationStatus.GIVEN if agree else RevocationStatus.DENIED,
            answered_by=user,
            answered_at=database_now(),
            words=said,
        )
        if not changed:
            raise RevocationOverError
        asker = _asker(revocation.review)
        event = Event.APPROVAL_GIVEN if agree else Event.APPROVAL_DENIED
        _tell(revocation, event, [asker] if asker else [], by=_name(user), words=said)


def approvers_of(revocation: Revocation) -> list[User]:
    """Who may answer: those who answer for the client, but not who took it back, nor who made the link it came by."""
    asker = _asker(revocation.review)
    return [one for one in client_approvers(revocation.project) if one != asker]


def _asker(back: Review) -> User | None:
    """Who took it back, as far as we can know: of what came by a link its maker, who could have used it."""
    return back.link.created_by if back.link is not None else back.user


def _status(asset: Asset, back: Review) -> RevocationStatus:
    if back.user is None:
        return RevocationStatus.ASKED
    if role_of(back.user, back.project) == Role.CLIENT_APPROVER:
        return RevocationStatus.GIVEN
    return RevocationStatus.SLIP if _is_slip(asset, back) else RevocationStatus.ASKED


def _is_slip(asset: Asset, back: Review) -> bool:
    """Whether who had accepted it undoes that at once. What stood before their own acceptance is not theirs to undo:
    neither one that they renewed, nor one that was taken back and whose place theirs took."""
    own = asset.review.user_id == back.user_id and asset.review.at == asset.accepted_at
    took_a_place = Revocation.objects.filter(asset__task=asset.task_id, status=RevocationStatus.AGAIN)
    return own and back.at - asset.accepted_at <= SLIP and not took_a_place.exists()


def _name(user: User | None) -> str:
    return "" if user is None else user.get_full_name() or user.username


def _tell(revocation: Revocation, event: Event, people: list[User], *, by: str, words: str) -> None:
    task = revocation.asset.task
    announce(
        project=revocation.project,
        event=event,
        data={
            "task": str(task),
            "by": by,
            "effect": gettext_lazy("The acceptance is taken back: the asset counts no more."),
            "words": words,
            "revocation": str(revocation.uuid),
            "path": f"/review/{task.uuid}/",
        },
        people=people,
    )
