"""What takes two people: one proposes, a second one agrees to what they have read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from billing.locking import lock_books
from billing.models.proposals import Proposal
from billing.two_people import SecondPersonNeededError
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now

Done = TypeVar("Done")
Waits = TypeVar("Waits", bound=Proposal)


class NoProposalError(DomainError):
    """It was agreed to, withdrawn, or replaced meanwhile."""

    code = "no-proposal"
    template = gettext_noop("There is no such proposal any more.")


def done_or_proposed(
    do: Callable[[], Done], propose: Callable[[], Waits], *, project: Project
) -> Done | Waits:
    """What ``do`` gives; where one person alone may not do so much, nothing of it is done and it is proposed."""
    with transaction.atomic():
        lock_books([project.pk])  # before any proposal is touched: all who lock both do so in this order
        try:
            with transaction.atomic():
                return do()
        except SecondPersonNeededError:
            return propose()


def proposed(
    kind: type[Waits], about: Mapping[str, Any], *, project: Project, user: User, **said: Any
) -> Waits:
    """The proposal of ``user`` that waits from now on; it takes the place of an earlier one ``about`` the same."""
    now = {"project": project, "proposed_by": user, "proposed_at": database_now()}
    row, _ = kind._default_manager.update_or_create(**about, defaults=said | now)  # noqa: SLF001 - any of the kinds
    return row


def the_one_read(waiting: QuerySet[Waits], *, project: Project, seen: str) -> Waits:
    """The proposal that waits, locked, and the books before it. ``seen``: when what the person has read was proposed
    (ISO 8601).

    To be called in a transaction. Raises NoProposalError, also where another has taken its place since.
    """
    lock_books([project.pk])
    found = waiting.select_for_update(of=("self",)).first()
    if found is None or found.proposed_at.isoformat() != seen:
        raise NoProposalError
    return found
