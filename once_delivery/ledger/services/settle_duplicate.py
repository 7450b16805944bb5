"""A person has dealt with two of ours at the target: it is counted again, and the target has the last word (R11)."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action
from once_delivery.ledger.transitions import Actor, note
from once_delivery.targets.base import Presence


class NoDuplicateError(DomainError):
    """Nothing to settle."""

    code = "no-duplicate"
    template = gettext_noop("Only one of this is known at the target.")


def settle_duplicate(*, action: Action, user: User) -> None:
    """Afterwards the action's presence is open and the target about to be counted, or at the next audit where it cannot
    be asked by marker. Two that are still there are noted anew. Raises NoDuplicateError.
    """
    with transaction.atomic():
        locked = Action.objects.select_for_update(of=("self",)).select_related("target").get(pk=action.pk)
        if locked.presence != Presence.DUPLICATE:
            raise NoDuplicateError
        by_marker = locked.target.profile.look_up and not locked.object_marker
        Action.objects.filter(pk=locked.pk).update(
            presence=Presence.UNCHECKED, check_due_at=database_now() if by_marker else None
        )
        note(
            action_id=locked.pk,
            project_id=locked.project_id,
            kind="decided",
            reason="duplicate-settled",
            actor=Actor(f"user:{user.username}", user.pk),
        )
