"""Answer a line, or propose the answer where it takes two people; the second one agrees."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from billing.models import LineMatch, LineProposal, SupplierLine
from billing.people import must_keep_books
from billing.proposing import done_or_proposed, proposed, the_one_read
from billing.services.answer_line import Answer, answer_line
from once_delivery.accounts.models import Project, User
from once_delivery.common.redact import storable
from once_delivery.ledger.models import Attempt


def propose_answer(
    *,
    project: Project,
    line: SupplierLine,
    answer: Answer,
    user: User,
    attempt: Attempt | None = None,
    claim: str = "",
    owner: User | None = None,
    note: str = "",
) -> LineMatch | LineProposal:
    """The line as it is answered; or, above the project's limit for one person, the proposal that waits.

    Raises what ``answer_line`` raises, but for SecondPersonNeededError.
    """
    said: dict[str, Any] = {"answer": answer, "attempt": attempt, "claim": claim, "note": note}

    def do() -> LineMatch:
        if answer is not Answer.OWNER:  # which is refused while one waits
            LineProposal.objects.filter(match__line=line).delete()
        return answer_line(project=project, line=line, user=user, owner=owner, **said)

    return done_or_proposed(do, lambda: _proposed(project, line, user, said), project=project)


def _proposed(project: Project, line: SupplierLine, user: User, said: dict[str, Any]) -> LineProposal:
    return proposed(
        LineProposal,
        {"match": LineMatch.objects.get(line=line)},
        project=project,
        user=user,
        answer=said["answer"].value,
        attempt=said["attempt"],
        claim=storable(said["claim"]).strip()[:60],
        note=storable(said["note"]).strip()[:500],
    )


def agree_to_answer(*, project: Project, line: SupplierLine, user: User, seen: str) -> LineMatch:
    """Afterwards the line is answered as proposed. Who proposed cannot agree.

    ``seen``: when what ``user`` has read was proposed (ISO 8601): nobody agrees to what has taken its place since.

    Raises NoProposalError, SecondPersonNeededError and what ``answer_line`` raises.
    """
    must_keep_books(user, project)
    with transaction.atomic():
        waiting = LineProposal.objects.filter(project=project, match__line=line)
        found = the_one_read(waiting.select_related("attempt", "proposed_by"), project=project, seen=seen)
        done = answer_line(
            project=project,
            line=line,
            answer=Answer(found.answer),
            user=found.proposed_by,
            attempt=found.attempt,
            claim=found.claim,
            note=found.note,
            second=user,
        )
        found.delete()
    return done


def withdraw_proposal(*, project: Project, line: SupplierLine, user: User) -> None:
    """Afterwards nothing is proposed for the line. Raises NotFinanceError."""
    must_keep_books(user, project)
    LineProposal.objects.filter(project=project, match__line=line).delete()
