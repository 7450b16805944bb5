"""A person decides whether an asset is a duplicate, and whose fault that is."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.groups import merge, part, root_of
from billing.locking import lock_books
from billing.models import Cause, Duplicate, DuplicateStatus
from billing.pairs import at_stake
from billing.people import must_keep_books
from billing.refusals import PostingRefusedError
from billing.services.count_group import Because, count_group
from billing.services.judge_cause import ForeignApprovalError, RecordNeededError
from billing.services.settle_fault import settle_fault
from billing.two_people import second_must_agree
from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Project, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from once_delivery.review.models import Asset
from reconciliation.models import Approval, ApprovalStatus, Finding

CAUSES = frozenset(
    {
        Cause.CLIENT_DUPLICATE,
        Cause.CLIENT_CONFIRMED_REPEAT,
        Cause.DEDUPE_MISS,
        Cause.VENDOR_FAULT,
        Cause.PLATFORM_RETRY,
    }
)
NEEDS_APPROVAL = frozenset({Cause.CLIENT_CONFIRMED_REPEAT})
LONGEST = 4000


class NotADuplicatesCauseError(DomainError):
    """A duplicate has a cause of its own."""

    code = "not-a-duplicates-cause"
    template = gettext_noop("A duplicate is the client's, a missed check, a retry or the vendor's fault.")


class ApprovalMissingError(DomainError):
    """The client bears a repeat, and counts a variant, on an approval that is on file."""

    code = "approval-missing"
    template = gettext_noop("A repeat that the client confirmed needs the client's approval on file.")


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
    finding: Finding | None = None,
    second: User | None = None,
) -> Duplicate:
    """Afterwards ``asset`` is the same deliverable as ``survivor``: of their group the earliest accepted counts.

    ``wanted``: the client asked for both, and both count. The cost stays and is borne by the cause. Finance, an ops owner
    or an admin decides; where one of the two tasks cost more than the limit for one person, a ``second`` who keeps the
    books has agreed. Raises NotFinanceError, SecondPersonNeededError, NotADuplicatesCauseError, RecordNeededError,
    ApprovalMissingError, ForeignApprovalError, NotAcceptedError and what ``count_group`` and ``settle_fault`` raise.
    """
    project = asset.project
    must_decide_duplicates(user, project)
    words = _checked(asset, survivor, cause, record, approval, wanted=wanted)
    with transaction.atomic():
        lock_books([project.pk])
        root = root_of(survivor, but=asset)
        if root.pk == asset.pk:
            asset, root = survivor, asset
        amount = at_stake(asset, root)
        (part if wanted else merge)(asset, root)
        said = {"cause": cause, "record": words, "approval": approval, "decided_by": user, "second": second}
        status = DuplicateStatus.WANTED if wanted else DuplicateStatus.DECIDED
        row = _keep(asset, finding, survivor=root, status=status, **said)
        _count(project, row, user, approval)
        settle_fault(project=project, actor=user.username, task_ids={asset.task_id, root.task_id})
        second_must_agree(project=project, amount=amount, user=user, second=second)
    return row


def _keep(asset: Asset, finding: Finding | None, **decision: Any) -> Duplicate:
    """The row of ``asset``: a later decision takes the place of an earlier one."""
    now = database_now()
    decision |= {"project": asset.project, "decided_at": now}
    row, _ = Duplicate.objects.update_or_create(
        asset=asset, defaults=decision, create_defaults=decision | {"finding": finding, "found_at": now}
    )
    return row


def dismiss_duplicate(*, duplicate: Duplicate, user: User, record: str, second: User | None = None) -> None:
    """Afterwards the two are two deliverables, and both count. Raises NotFinanceError, SecondPersonNeededError,
    RecordNeededError and what ``count_group`` and ``settle_fault`` raise."""
    project = duplicate.project
    must_decide_duplicates(user, project)
    words = storable(record).strip()[:LONGEST]
    if not words:
        raise RecordNeededError
    with transaction.atomic():
        lock_books([project.pk])
        row = Duplicate.objects.select_for_update().select_related("asset").get(pk=duplicate.pk)
        amount = at_stake(row.asset, None)
        row.status, row.record = DuplicateStatus.DISMISSED, words
        row.decided_by, row.second, row.decided_at = user, second, database_now()
        row.save(update_fields=["status", "record", "decided_by", "second", "decided_at"])
        _count(project, row, user, None)
        settle_fault(project=project, actor=user.username, task_ids=[row.asset.task_id])
        second_must_agree(project=project, amount=amount, user=user, second=second)


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
    words = storable(record).strip()[:LONGEST]
    if not words:
        raise RecordNeededError
    if approval is None and (wanted or cause in NEEDS_APPROVAL):
        raise ApprovalMissingError
    if approval is not None and (
        approval.project_id != asset.project_id or approval.status != ApprovalStatus.GIVEN
    ):
        raise ForeignApprovalError
    return words


def _count(project: Project, row: Duplicate, user: User, approval: Approval | None) -> None:
    """The group of what counts in its place; what is a variant that is wanted, or no duplicate at all, for itself too."""
    approval_id = approval.pk if approval else None
    if row.status != DuplicateStatus.DECIDED:
        said = Because(approval_id, {"duplicate": row.status})
        count_group(project=project, root_id=row.asset_id, actor=user.username, because=said)
    count_group(project=project, root_id=row.survivor_id, actor=user.username, because=Because(approval_id))
