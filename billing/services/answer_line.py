"""Answer what a line of a bill is for: this attempt, none in particular, a claim on the supplier, or somebody asks."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.locking import lock_books
from billing.models import Cause, LineMatch, LineProposal, LineStatus, SupplierLine
from billing.people import keeps_books, must_keep_books
from billing.services.place_line import place_line
from billing.suppliers.candidates import matcher_for, sought
from billing.suppliers.matching import GENERAL, Verdict
from billing.two_people import second_must_agree
from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Attempt


class Answer(enum.StrEnum):
    """What a person may say of a line that waits."""

    ATTEMPT = "attempt"  # it is for this attempt
    ACCEPT = "accept"  # it stays where it was matched, though its amount or day was not expected
    GENERAL = "general"  # no attempt is meant: shared like storage and fees
    CLAIM = "claim"  # nobody asked for it: the supplier shall give it back
    OWNER = "owner"  # somebody looks into it


class UnknownLineError(DomainError):
    """No line of this project (another's are told alike)."""

    code = "unknown-line"
    template = gettext_noop("There is no such line in this project.")


class UnknownAttemptError(DomainError):
    """No attempt of this project (another's are told alike)."""

    code = "unknown-attempt"
    template = gettext_noop("There is no such attempt in this project.")


class NotAnAnswerError(DomainError):
    """What is missing in the answer, or does not fit the line."""

    code = "not-an-answer"
    template = gettext_noop("This does not answer the line: %(missing)s is needed.")


class ProposalWaitsError(DomainError):
    """Somebody's answer waits for a second person: to look into the line would drop it, or wait beside it unread."""

    code = "proposal-waits"
    template = gettext_noop(
        "An answer to this line is proposed and waits for a second person. Agree to it, or withdraw it, first."
    )


class NotAnOwnerError(DomainError):
    """Who looks into a line must be able to see it."""

    code = "not-an-owner"
    template = gettext_noop("“%(user)s” does not keep the books of this project.")


def answer_line(
    *,
    project: Project,
    line: SupplierLine,
    answer: Answer,
    user: User,
    attempt: Attempt | None = None,
    claim: str = "",
    owner: User | None = None,
    note: str = "",
    second: User | None = None,
) -> LineMatch:
    """Afterwards the line stands where the answer says; a later answer takes its place.

    ``claim``: the number under which it is claimed; on a line that was billed twice it is noted alone. Raises
    NotFinanceError, SecondPersonNeededError (above the project's limit), UnknownLineError, UnknownAttemptError,
    NotAnAnswerError, NotAnOwnerError, ProposalWaitsError and what ``place_line`` raises.
    """
    must_keep_books(user, project)
    if line.document.project_id != project.pk or not LineMatch.objects.filter(line=line).exists():
        raise UnknownLineError
    claim = storable(claim).strip()[:60]
    with transaction.atomic():
        lock_books([project.pk])
        match = LineMatch.objects.select_for_update().get(line=line)
        if answer is Answer.OWNER:
            return _owned(match, project, owner, note)
        cost = line.cost
        _Answered(project, line, match, answer, attempt, claim).place(user)
        second_must_agree(project=project, amount=cost, user=user, second=second)
        match.refresh_from_db()
        match.claim = claim
        match.note = storable(note).strip()[:500]
        match.answered_by, match.answered_at = user, database_now()
        match.save(update_fields=["claim", "note", "answered_by", "answered_at"])
    return match


def _owned(match: LineMatch, project: Project, owner: User | None, note: str) -> LineMatch:
    if owner is None:
        raise NotAnAnswerError(missing="owner")
    if role_of(owner, project) is None or not keeps_books(owner, project):
        raise NotAnOwnerError(user=owner.username)
    if LineProposal.objects.filter(match=match).exists():
        raise ProposalWaitsError
    match.owner, match.note = owner, storable(note).strip()[:500]
    match.save(update_fields=["owner", "note"])
    return match


@dataclass(frozen=True, slots=True)
class _Answered:
    project: Project
    line: SupplierLine
    match: LineMatch
    answer: Answer
    attempt: Attempt | None
    claim: str

    def place(self, user: User) -> None:
        if self.answer is Answer.CLAIM and not self.claim:
            raise NotAnAnswerError(missing="claim")
        if self.answer is Answer.CLAIM and self.match.status == LineStatus.DOUBLE:
            return  # it stands as a claim already
        verdict, cause = self._verdict()
        if self.line.amount < 0 and verdict.status != LineStatus.GENERAL:
            raise NotAnAnswerError(missing="general")
        place_line(line=self.line, verdict=verdict, actor=user.username, words=self.claim, cause=cause)

    def _verdict(self) -> tuple[Verdict, Cause | None]:
        if self.answer is Answer.GENERAL:
            return GENERAL, None
        if self.answer is Answer.CLAIM:
            return Verdict(LineStatus.ORPHAN, matched_by="claim"), Cause.PROVIDER_FAULT
        chosen = self.attempt.pk if self.attempt else None
        if self.answer is Answer.ACCEPT:
            chosen = self.match.attempt_id
        if chosen is None:
            raise NotAnAnswerError(missing="attempt")
        if not Attempt.objects.filter(pk=chosen, project=self.project).exists():
            raise UnknownAttemptError
        return self._for(chosen), None

    def _for(self, attempt_id: int) -> Verdict:
        matcher = matcher_for(
            project=self.project,
            supplier=self.line.document.supplier,
            lines=[self.line],
            attempts=[attempt_id],
        )
        matcher.billed.clear()  # a person has seen that it is none of those that were billed before
        found = matcher.match(sought(self.project, self.line, attempt_id))
        return Verdict(LineStatus.MATCHED, found.used, "person")
