"""Change what an entry says by other entries; above the limit one person proposes and a second one agrees."""

from __future__ import annotations

import enum
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.models import Bearer, Cause, CostEntry, EntryProposal
from billing.people import must_keep_books
from billing.proposing import done_or_proposed, proposed, the_one_read
from billing.services.give_up_claim import give_up_claim
from billing.services.judge_cause import RecordNeededError, judge_cause
from billing.services.reverse_entry import reverse_entry
from billing.services.transfer_bearer import transfer_bearer
from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable

LONGEST = 4000


class Change(enum.StrEnum):
    """What may be done about an entry. Nothing of it is altered: other entries follow."""

    REVERSE = "reverse"
    GIVE_UP = "give_up"  # the claim on the provider: the vendor bears it
    BEARER = "bearer"
    CAUSE = "cause"  # of its attempt, its line or its task, as far as it names one


class NothingToJudgeError(DomainError):
    """A cause belongs to an attempt, a supplier's line or a task."""

    code = "nothing-to-judge"
    template = gettext_noop("This entry is of no attempt, no line and no task: it has no cause of its own.")


class NoSuchChangeError(DomainError):
    """Not one of the changes, or not to somebody who bears costs, or to no cause."""

    code = "no-such-change"
    template = gettext_noop("That is no change of an entry.")


def change_entry(*, entry: CostEntry, change: str, to: str, words: str, user: User) -> EntryProposal | None:
    """None: it is done. Above the project's limit for one person, the proposal that waits for a second.

    ``to``: a bearer or a cause, where the change needs one. Raises NotFinanceError, RecordNeededError,
    NoSuchChangeError, NothingToJudgeError and what the four services raise.
    """
    must_keep_books(user, entry.project)
    said = storable(words).strip()[:LONGEST]
    if not said:
        raise RecordNeededError

    def do() -> None:
        EntryProposal.objects.filter(entry=entry).delete()
        _do(entry, change, to, {"user": user, "words": said, "second": None})

    return done_or_proposed(
        do,
        lambda: proposed(
            EntryProposal,
            {"entry": entry},
            project=entry.project,
            user=user,
            change=change,
            to=to,
            words=said,
        ),
        project=entry.project,
    )


def agree_to_change(*, entry: CostEntry, user: User, seen: str) -> None:
    """Afterwards the entry is changed as proposed; ``seen``: when what the person has read was proposed (ISO 8601).

    Raises NoProposalError, SecondPersonNeededError for who proposed it, and what ``change_entry`` raises.
    """
    must_keep_books(user, entry.project)
    with transaction.atomic():
        waiting = EntryProposal.objects.filter(entry=entry).select_related("proposed_by")
        found = the_one_read(waiting, project=entry.project, seen=seen)
        said = {"user": found.proposed_by, "words": found.words, "second": user}
        _do(entry, found.change, found.to, said)
        found.delete()


def withdraw_change(*, entry: CostEntry, user: User) -> None:
    """Afterwards nothing is proposed for the entry. Raises NotFinanceError."""
    must_keep_books(user, entry.project)
    EntryProposal.objects.filter(entry=entry).delete()


def _do(entry: CostEntry, change: str, to: str, said: dict[str, Any]) -> None:
    if change == Change.REVERSE:
        reverse_entry(entry=entry, **said)
    elif change == Change.GIVE_UP:
        give_up_claim(entry=entry, **said)
    elif change == Change.BEARER and to in Bearer.values:
        transfer_bearer(entry=entry, bearer=Bearer(to), **said)
    elif change == Change.CAUSE and to in Cause.values:
        about = entry.attempt or entry.supplier_line or entry.task
        if about is None:
            raise NothingToJudgeError
        record = said.pop("words")
        judge_cause(project=entry.project, about=about, cause=Cause(to), record=record, **said)
    else:
        raise NoSuchChangeError
