"""Pull duplicates: what is one deliverable twice for certain is decided, what only looks alike is suggested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from billing.alike import Same, alike_no_more, decided_before, pairs_alike
from billing.groups import Together, merge, root_of
from billing.locking import lock_books
from billing.models import Cause, Duplicate, DuplicateStatus
from billing.refusals import check_roots
from billing.services.count_group import Because, count_group
from billing.services.leave_out import Left
from once_delivery.accounts.models import Project
from once_delivery.ledger.clock import database_now
from once_delivery.review.models import Asset

ACTOR = "pull_duplicates"
_AS_BEFORE = ("cause", "record", "approval", "decided_by", "second", "decided_at")


@dataclass(frozen=True, slots=True)
class Found:
    """How many duplicates are decided now, how many are only suggested, and how many wait for a month on hold.

    ``refused``: the codes of what the ledger refused; that was left out, and nothing else.
    """

    decided: int
    suggested: int
    waiting: int = 0
    refused: tuple[str, ...] = ()


def pull_duplicates(*, project: Project) -> Found:
    """Afterwards each accepted asset that is the same deliverable as an earlier one is its duplicate, and counts no more.

    Certain: two objects with one marker, each of them somebody's asset; or the same text for one product, locale and
    purpose. What was taken back and accepted again with the same text is decided as it was before. The same text for
    another product, and another text of what had been a duplicate, are suggested, for a person to decide
    (``decide_duplicate``). What a person decided or dismissed stays. What a month on hold keeps from being posted waits as a
    suggestion. A second pull adds nothing.
    """
    with transaction.atomic():
        lock_books([project.pk])
        pulling = _Pulling(project, decided_before(project), database_now())
        pulling.ask_again()
        together = Together.of(project)
        for one in pairs_alike(project):
            if not together.are_one(one.asset.pk, one.survivor.pk):
                pulling.take(one)
        return Found(pulling.decided, pulling.suggested, pulling.left.held, pulling.left.refused)


@dataclass(slots=True)
class _Pulling:
    project: Project
    before: Mapping[frozenset[int], Duplicate]
    now: datetime
    decided: int = 0
    suggested: int = 0
    left: Left = field(default_factory=Left)

    def ask_again(self) -> None:
        """What was decided by its text alone, and has another one now, counts until a person has decided."""
        anew = {
            "status": DuplicateStatus.SUGGESTED,
            "certain_by": "",
            "cause": Cause.UNDETERMINED,
            "decided_at": None,
        }
        for row in alike_no_more(self.project):
            with self.left.out("duplicate", row.asset_id):
                Duplicate.objects.filter(pk=row.pk).update(**anew)
                because = Because(evidence={"duplicate": DuplicateStatus.SUGGESTED})
                count_group(
                    project=self.project, root_id=row.asset_id, actor=ACTOR, automatic=True, because=because
                )
                self.suggested += 1

    def take(self, one: Same) -> None:
        root = root_of(one.survivor)
        if root_of(one.asset).pk == root.pk:
            return  # of one group already
        row = Duplicate.objects.filter(asset=one.asset).first()
        if row is not None and row.status == DuplicateStatus.DECIDED and one.certain_by:
            # of two groups then: whether these are one is for a person to say, about what counts in each
            one = Same(root_of(one.asset), one.survivor, finding=one.finding)
            row = Duplicate.objects.filter(asset=one.asset).first()
        elif row is not None and _is_about_another(row, root) and one.certain_by:
            # an asset has one row; the other side asks a person, who knows what was said of this one
            one, root = Same(root, one.asset, finding=one.finding), root_of(one.asset)
            row = Duplicate.objects.filter(asset=one.asset).first()
        if row is not None and row.status != DuplicateStatus.SUGGESTED:
            return
        earlier = self.before.get(one.tasks)
        said = self._decision(one, earlier) | {"survivor": root, "follows": earlier}
        if said["status"] != DuplicateStatus.SUGGESTED:
            with self.left.out("duplicate", one.asset.pk):
                self._decide(one, said)
                self.decided += said["status"] == DuplicateStatus.DECIDED
                return
        if row is None:
            waits = {
                "status": DuplicateStatus.SUGGESTED,
                "certain_by": said.get("certain_by", ""),
                "follows": earlier,
            }
            self._keep(one, {"survivor": root, **waits})
            self.suggested += said["status"] == DuplicateStatus.SUGGESTED

    def _decision(self, one: Same, earlier: Duplicate | None) -> dict[str, Any]:
        """What a person decided about the same two texts holds on; about other texts they are asked again."""
        if earlier is None:
            if not one.certain_by:
                return {"status": DuplicateStatus.SUGGESTED}
            return {
                "status": DuplicateStatus.DECIDED,
                "certain_by": one.certain_by,
                "cause": Cause.DEDUPE_MISS,
                "decided_at": self.now,
            }
        if Same(earlier.asset, earlier.survivor).texts != one.texts:
            return {"status": DuplicateStatus.SUGGESTED}
        same = {name: getattr(earlier, name) for name in _AS_BEFORE}
        promoted = earlier.status == DuplicateStatus.PROMOTED  # they were one, until the other was taken back
        return same | {"status": DuplicateStatus.DECIDED if promoted else earlier.status}

    def _decide(self, one: Same, said: Mapping[str, Any]) -> None:
        if said["status"] == DuplicateStatus.DECIDED:
            merge(one.asset, said["survivor"])
        made = self._keep(one, said)
        for root_id in {made.asset_id, made.survivor_id}:
            count_group(project=self.project, root_id=root_id, actor=ACTOR, automatic=True)
        check_roots()  # now, for this one alone

    def _keep(self, one: Same, said: Mapping[str, Any]) -> Duplicate:
        said = {"project": self.project, "finding": one.finding, **said}
        followed = said.get("follows")
        if followed is not None and not Duplicate.objects.filter(pk=followed.pk).exists():
            said["follows"] = None  # another pair of this pull took its place
        row, _ = Duplicate.objects.update_or_create(
            asset=one.asset, defaults=said, create_defaults={**said, "found_at": self.now}
        )
        return row


def _is_about_another(row: Duplicate, root: Asset) -> bool:
    """Whether it says something for good, and not about ``root``."""
    return row.status != DuplicateStatus.SUGGESTED and row.survivor_id != root.pk
