"""A person decides whether an asset is a duplicate, and whose fault that is."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.contradictions import must_not_contradict
from billing.groups import group_of
from billing.locking import lock_books
from billing.models import Cause, Duplicate, DuplicateStatus, Reopened
from billing.pairs import at_stake
from billing.people import must_keep_books
from billing.refusals import PostingRefusedError
from billing.services.count_group import Because, count_group
from billing.services.judge_cause import (
    NEEDS_APPROVAL,
    ApprovalMissingError,
    ForeignApprovalError,
    RecordNeededError,
)
from billing.services.settle_fault import settle_fault
from billing.services.write_pair import reopen_pair, write_pair
from billing.two_people import second_must_agree
from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Project, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from once_delivery.review.models import Asset
from reconciliation.models import Approval, ApprovalStatus

CAUSES = frozenset(
    {
        Cause.CLIENT_DUPLICATE,
        Cause.CLIENT_CONFIRMED_REPEAT,
        Cause.DEDUPE_MISS,
        Cause.VENDOR_FAULT,
        Cause.PLATFORM_RETRY,
    }
)
LONGEST = 4000


class NotADuplicatesCauseError(DomainError):
    """A duplicate has a cause of its own."""

    code = "not-a-duplicates-cause"
    template = gettext_noop("A duplicate is the client's, a missed check, a retry or the vendor's fault.")


class NotAcceptedError(DomainError):
    """Only what was accepted counts, and only what counts can be a duplicate."""

    code = "not-accepted"
    template = gettext_noop("Both must have been accepted in this project, and be two.")


def decide_duplicate(
    *,
    asset: Asset,
    survivor: Asset,
    user: User,
    cause: Cause,
    record: str,
    wanted: bool = False,
    approval: Approval | None = None,
    second: User | None = None,
) -> Duplicate:
    """Afterwards the two are one deliverable, and so is all that is one with either: the earliest accepted counts.

    ``wanted``: they are two, since the client asked for both. The cost stays and is borne by the cause. Finance, an ops
    owner or an admin decides; where one of the two tasks cost more than the limit for one person, a ``second`` who keeps
    the books has agreed. Raises NotFinanceError, SecondPersonNeededError, NotADuplicatesCauseError, RecordNeededError,
    ApprovalMissingError, ForeignApprovalError, NotAcceptedError, SaidToBeTwoError, OneThroughOthersError and what
    ``count_group`` and ``settle_fault`` raise.
    """
    must_decide_duplicates(user, asset.project)
    words = _checked(asset, survivor, cause, record, approval, wanted=wanted)
    status = DuplicateStatus.WANTED if wanted else DuplicateStatus.DECIDED
    said = {"cause": cause, "record": words, "approval": approval, "decided_by": user, "second": second}
    return _decide(asset, survivor, status, **said)


def dismiss_duplicate(*, duplicate: Duplicate, user: User, record: str, second: User | None = None) -> None:
    """Afterwards the two are two deliverables. Raises NotFinanceError, SecondPersonNeededError, RecordNeededError,
    OneThroughOthersError and what ``count_group`` and ``settle_fault`` raise."""
    must_decide_duplicates(user, duplicate.project)
    said = {"record": _words(record), "approval": None, "decided_by": user, "second": second}
    _decide(duplicate.asset, duplicate.survivor, DuplicateStatus.DISMISSED, **said)


def reopen_duplicate(*, duplicate: Duplicate, user: User, record: str, second: User | None = None) -> None:
    """Afterwards the pair waits for a decision again; what was decided stays on record. Raises NotFinanceError,
    SecondPersonNeededError, RecordNeededError and what ``count_group`` and ``settle_fault`` raise."""
    must_decide_duplicates(user, duplicate.project)
    said = {"record": _words(record), "decided_by": user, "second": second}
    _decide(duplicate.asset, duplicate.survivor, DuplicateStatus.SUGGESTED, **said)


def _decide(asset: Asset, survivor: Asset, status: DuplicateStatus, **said: Any) -> Duplicate:
    project, user, approval = asset.project, said["decided_by"], said.get("approval")
    with transaction.atomic():
        lock_books([project.pk])
        must_not_contradict(asset, survivor, status)
        apart = status in {DuplicateStatus.DISMISSED, DuplicateStatus.SUGGESTED}
        amount = at_stake(asset, survivor, one=not apart)
        concerned = group_of(asset.pk, survivor.pk)
        said["decided_at"] = database_now()
        if status == DuplicateStatus.SUGGESTED:
            pair = reopen_pair(asset=asset, survivor=survivor, why=Reopened.PERSON, **said)
        else:
            pair = write_pair(asset=asset, survivor=survivor, status=status, **said)
        evidence = {} if status == DuplicateStatus.DECIDED else {"duplicate": status}
        because = Because(approval.pk if approval else None, evidence)
        for one in (asset,) if status == DuplicateStatus.DECIDED else (survivor, asset):
            count_group(project=project, asset_id=one.pk, actor=user.username, because=because)
        tasks = Asset.objects.filter(pk__in=concerned).values_list("task", flat=True)
        settle_fault(project=project, actor=user.username, task_ids=set(tasks))
        second_must_agree(project=project, amount=amount, user=user, second=said["second"])
    return pair


def must_decide_duplicates(user: User, project: Project) -> None:
    """Finance, an ops owner or an admin. Raises NotFinanceError."""
    if role_of(user, project) != Role.OPS_OWNER:
        must_keep_books(user, project)


def _checked(
    asset: Asset, survivor: Asset, cause: Cause, record: str, approval: Approval | None, *, wanted: bool
) -> str:
    if asset.pk == survivor.pk:
        raise NotAcceptedError
    if survivor.project_id != asset.project_id:
        raise PostingRefusedError("other_project")
    if cause not in CAUSES:
        raise NotADuplicatesCauseError
    words = _words(record)
    if approval is None and (wanted or cause in NEEDS_APPROVAL):
        raise ApprovalMissingError
    if approval is not None and (
        approval.project_id != asset.project_id or approval.status != ApprovalStatus.GIVEN
    ):
        raise ForeignApprovalError
    return words


def _words(record: str) -> str:
    words = storable(record).strip()[:LONGEST]
    if not words:
        raise RecordNeededError
    return words
