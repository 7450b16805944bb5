"""What takes two people: one proposes, a second one agrees to what they have read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from billing.models.proposals import Proposal
from billing.two_people import SecondPersonNeededError
from once_delivery.common.errors import DomainError

Done = TypeVar("Done")
Waits = TypeVar("Waits", bound=Proposal)


class NoProposalError(DomainError):
    """It was agreed to, withdrawn, or replaced meanwhile."""

    code = "no-proposal"
    template = gettext_noop("There is no such proposal any more.")


def done_or_proposed(do: Callable[[], Done], propose: Callable[[], Waits]) -> Done | Waits:
    """What ``do`` gives; where one person alone may not do so much, nothing of it is done and it is proposed."""
    try:
        with transaction.atomic():
            return do()
    except SecondPersonNeededError:
        return propose()


def the_one_read(waiting: QuerySet[Waits], *, seen: str) -> Waits:
    """The proposal that waits, locked. ``seen``: when what the person has read was proposed (ISO 8601).

    To be called in a transaction. Raises NoProposalError, also where another has taken its place since.
    """
    found = waiting.select_for_update(of=("self",)).first()
    if found is None or found.proposed_at.isoformat() != seen:
        raise NoProposalError
    return found
