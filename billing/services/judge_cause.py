"""Record whose fault a cost is where no rule can tell."""

from __future__ import annotations

from decimal import Decimal

from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext_noop

from billing.locking import lock_books
from billing.models import Cause, CostEntry, Judgement, SupplierLine
from billing.people import must_keep_books
from billing.refusals import PostingRefusedError
from billing.services.settle_fault import settle_fault
from billing.two_people import second_must_agree
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.models import Attempt, Task
from reconciliation.models import Approval, ApprovalStatus

NEEDS_APPROVAL = frozenset({Cause.CLIENT_CONFIRMED_REPEAT})  # section 8, step 4
LONGEST = 4000


class RecordNeededError(DomainError):
    """Nobody bears a cost on a bare word."""

    code = "record-needed"
    template = gettext_noop("Say on which record this is decided.")


class ApprovalMissingError(DomainError):
    """The client bears a repeat, and counts a variant, on an approval that is on file."""

    code = "approval-missing"
    template = gettext_noop("A repeat that the client confirmed needs the client's approval on file.")


class ForeignApprovalError(DomainError):
    """An approval is the client's, given, and of this project."""

    code = "no-such-approval"
    template = gettext_noop("That approval was not given in this project.")


def judge_cause(
    *,
    project: Project,
    about: Attempt | Task | SupplierLine,
    cause: Cause,
    record: str,
    user: User,
    second: User | None = None,
    approval: Approval | None = None,
) -> Judgement:
    """Afterwards what the attempt, the task or the line cost has ``cause``, and its bearer by the terms.

    A later judgement about the same takes its place. Raises NotFinanceError, SecondPersonNeededError,
    RecordNeededError, ApprovalMissingError, ForeignApprovalError, PostingRefusedError (``other-project``) and what
    ``settle_fault`` raises.
    """
    if not _is_of(project, about):
        raise PostingRefusedError("other_project")
    words = storable(record).strip()[:LONGEST]
    if not words:
        raise RecordNeededError
    must_keep_books(user, project)
    _must_be_approved(project, cause, approval)
    with transaction.atomic():
        lock_books([project.pk])  # what is posted meanwhile counts for the limit too
        amount = _amount_of(project, about)
        judgement = Judgement.objects.create(
            project=project,
            attempt=about if isinstance(about, Attempt) else None,
            task=about if isinstance(about, Task) else None,
            line=about if isinstance(about, SupplierLine) else None,
            cause=cause,
            record=words,
            approval=approval,
            decided_by=user,
            second=second,
        )
        settle_fault(project=project, actor=user.username, task_ids=_tasks(about), line_ids=_lines(about))
        second_must_agree(project=project, amount=amount, user=user, second=second)
    return judgement


def _must_be_approved(project: Project, cause: Cause, approval: Approval | None) -> None:
    if approval is None and cause in NEEDS_APPROVAL:
        raise ApprovalMissingError
    if approval is not None and (approval.project_id, approval.status) != (project.pk, ApprovalStatus.GIVEN):
        raise ForeignApprovalError


def _is_of(project: Project, about: Attempt | Task | SupplierLine) -> bool:
    if isinstance(about, SupplierLine):
        return CostEntry.objects.filter(project=project, supplier_line=about).exists()
    return about.project_id == project.pk


def _tasks(about: Attempt | Task | SupplierLine) -> list[int]:
    if isinstance(about, Task):
        return [about.pk]
    return [about.action.task_id] if isinstance(about, Attempt) else []


def _lines(about: Attempt | Task | SupplierLine) -> list[int]:
    return [about.pk] if isinstance(about, SupplierLine) else []


def _amount_of(project: Project, about: Attempt | Task | SupplierLine) -> Decimal:
    entries = CostEntry.objects.filter(project=project)
    if isinstance(about, Attempt):
        entries = entries.filter(attempt=about)
    elif isinstance(about, Task):
        entries = entries.filter(task=about)
    else:
        entries = entries.filter(supplier_line=about)
    return entries.aggregate(total=Sum("amount"))["total"] or Decimal(0)
