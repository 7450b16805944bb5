"""Pull duplicates: what is one deliverable twice for certain is decided, what only looks alike is suggested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from billing.alike import Alike, all_alike
from billing.groups import Groups
from billing.locking import lock_books
from billing.models import (
    SAID_TO_BE_TWO,
    Cause,
    Duplicate,
    DuplicateDecision,
    DuplicateStatus,
    Reopened,
)
from billing.refusals import check_pairs
from billing.said_before import Said, SaidBefore, one_no_more, two_of_other_texts
from billing.services.count_group import Because, count_group
from billing.services.leave_out import Left
from billing.services.write_pair import reopen_pair, write_pair
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
    purpose. The same text for another product, and another text of what had been a duplicate, are suggested, for a person
    to decide (``decide_duplicate``). What a person said of a pair holds for as long as the two have the texts that it was
    said of, also of what was taken back and accepted again; of other texts they are asked again, if the two are alike or
    had been one. Nothing is made one by itself against what a person said: that is suggested. What a month on hold keeps
    from being posted waits as a suggestion. A second pull adds nothing.
    """
    with transaction.atomic():
        lock_books([project.pk])
        left = Left()
        parted = _part(project, left)
        pulling = _Pulling.of(project, left)
        for alike in all_alike(project):
            pulling.take(alike)
        return Found(pulling.decided, parted + pulling.suggested, left.held, left.refused)


@dataclass(frozen=True, slots=True)
class _Verdict:
    """How a pair stands, and what is said of it."""

    status: DuplicateStatus
    said: Mapping[str, Any] = field(default_factory=dict)


def _part(project: Project, left: Left) -> int:
    """What was decided about other texts counts until a person has decided about these."""
    because = Because(evidence={"duplicate": DuplicateStatus.SUGGESTED})
    parted = 0
    for row in one_no_more(project).select_related("asset", "survivor"):
        with left.out("duplicate", row.asset_id):
            reopen_pair(asset=row.asset, survivor=row.survivor, why=Reopened.TEXT)
            for pk in (row.survivor_id, row.asset_id):
                count_group(project=project, asset_id=pk, actor=ACTOR, automatic=True, because=because)
            parted += 1
    return parted


@dataclass(slots=True)
class _Pulling:
    project: Project
    left: Left
    groups: Groups
    known: dict[frozenset[int], tuple[int, str]]  # by the two assets: the pair on record, and how it stands
    changed: set[frozenset[int]]  # said to be two, of other texts
    before: SaidBefore
    decided: int = 0
    suggested: int = 0

    @classmethod
    def of(cls, project: Project, left: Left) -> _Pulling:
        rows = Duplicate.objects.filter(project=project).values_list("asset", "survivor", "pk", "status")
        changed = two_of_other_texts(project).values_list("asset", "survivor")
        return cls(
            project,
            left,
            Groups.of(project),
            {frozenset((asset, survivor)): (pk, status) for asset, survivor, pk, status in rows},
            {frozenset(pair) for pair in changed},
            SaidBefore.of(project),
        )

    def take(self, alike: Alike) -> None:
        """Each beside the first of those before it with which it is not said to be two."""
        firsts: list[Asset] = []
        for asset in alike.assets:
            if not any(self._is_settled(asset, first, alike) for first in firsts):
                firsts.append(asset)

    def _is_settled(self, asset: Asset, first: Asset, alike: Alike) -> bool:
        """Whether they are one now, or a person is asked; else they are two."""
        pair = frozenset((asset.pk, first.pk))
        if self.groups.are_one(asset.pk, first.pk):
            return True
        pk, status = self.known.get(pair, (None, ""))
        if status in SAID_TO_BE_TWO:
            return pair in self.changed and self._is_asked_again(pair, asset, first)
        what = self._say(asset, first, alike)
        followed = self.before.last(asset, first)
        about: dict[str, Any] = {"finding": alike.finding} if alike.finding is not None else {}
        if followed is not None and followed.pair_id != pk:
            about["follows_id"] = followed.pair_id
        if what.status != DuplicateStatus.SUGGESTED and self._is_done(asset, first, what, about):
            return what.status == DuplicateStatus.DECIDED
        if pk is None:
            row = write_pair(
                asset=asset,
                survivor=first,
                status=DuplicateStatus.SUGGESTED,
                certain_by=what.said.get("certain_by", ""),
                **about,
            )
            self.known[pair] = row.pk, row.status
            self.suggested += what.status == DuplicateStatus.SUGGESTED
        return True

    def _is_asked_again(self, pair: frozenset[int], asset: Asset, first: Asset) -> bool:
        """What was said to be two, of other texts: these are alike."""
        row = reopen_pair(asset=asset, survivor=first, why=Reopened.TEXT)
        self.known[pair] = row.pk, row.status
        self.groups.forget(asset.pk, first.pk)
        self.suggested += 1
        return True

    def _say(self, asset: Asset, first: Asset, alike: Alike) -> _Verdict:
        """What a person said of these two texts, or objects, holds on; else it is certain, or they are asked."""
        same = self.before.last_of_these(asset, first, of_objects=alike.finding is not None)
        last = self.before.last(asset, first)
        if same is not None:
            verdict = _as_before(same)
        elif alike.certain_by and (last is None or last.status == DuplicateStatus.DECIDED):
            certain = {
                "certain_by": alike.certain_by,
                "cause": Cause.DEDUPE_MISS,
                "decided_at": database_now(),
            }
            verdict = _Verdict(DuplicateStatus.DECIDED, certain)
        else:
            verdict = _Verdict(DuplicateStatus.SUGGESTED)
        if verdict.status == DuplicateStatus.DECIDED and not self.groups.may_be_one(asset.pk, first.pk):
            return _Verdict(DuplicateStatus.SUGGESTED)
        return verdict

    def _is_done(self, asset: Asset, first: Asset, what: _Verdict, about: Mapping[str, Any]) -> bool:
        with self.left.out("duplicate", asset.pk):
            row = write_pair(asset=asset, survivor=first, status=what.status, **about, **what.said)
            for pk in (first.pk,) if what.status == DuplicateStatus.DECIDED else (first.pk, asset.pk):
                count_group(project=self.project, asset_id=pk, actor=ACTOR, automatic=True)
            check_pairs()  # now, for this one alone
            self.known[frozenset((asset.pk, first.pk))] = row.pk, row.status
            if what.status == DuplicateStatus.DECIDED:
                self.groups.join(asset.pk, first.pk)
                self.decided += 1
            else:
                self.groups.part(asset.pk, first.pk)
            return True
        return False


def _as_before(said: Said) -> _Verdict:
    if said.status == DuplicateStatus.SUGGESTED:  # opened again by a person
        return _Verdict(said.status)
    row = DuplicateDecision.objects.get(pk=said.decision_id)
    return _Verdict(said.status, {name: getattr(row, name) for name in _AS_BEFORE})
