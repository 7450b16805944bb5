"""A plan of many decisions: what fits, what is left out and why, how far it is, what became of each case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.utils import timezone
from django.utils.functional import Promise

from once_delivery.accounts.models import User
from once_delivery.web.case_wording import LEFT_OUT, OUTCOMES, RISKY, decision_word
from once_delivery.web.selectors.cases import cases_of
from reconciliation.decisions import EFFECTS, Decision, Effect
from reconciliation.models import BulkDecision, BulkStatus, Case
from reconciliation.services.decide_many import MOST

STALLED = timedelta(minutes=2)
PAGE = 100


@dataclass(frozen=True, slots=True)
class BulkItem:
    """One case of the plan; ``case`` is None when the reader may not see it any more."""

    case: Case | None
    result_id: str
    outcome: str
    why: str

    @property
    def tone(self) -> str:
        return "confirmed" if self.outcome == "decided" else "planned" if not self.outcome else "uncertain"

    @property
    def icon(self) -> str:
        return "confirmed" if self.outcome == "decided" else "planned" if not self.outcome else "warn"


@dataclass(frozen=True, slots=True)
class BulkNow:
    """The plan at one moment."""

    word: str
    risky: bool
    effect: Effect
    items: Sequence[BulkItem]
    excluded: Sequence[BulkItem]
    total: int
    done: int
    decided: int
    rate: float | None  # cases a minute
    left: timedelta | None
    running: bool
    waits_long: bool
    version: str
    left_out: int
    first: int  # the place of the first one that is shown, from 0
    next_first: int | None  # of the next page

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 100

    @property
    def skipped(self) -> int:
        return self.done - self.decided


def chosen_cases(user: User, uuids: Sequence[str]) -> list[Case]:
    """The person's own among the chosen ones, in the order of the queue; one more than a plan can have at most."""
    wanted = {found for text in uuids[: MOST + 1] if (found := _uuid(text)) is not None}
    return list(cases_of(user).filter(uuid__in=wanted).order_by("due_at", "pk"))


def bulk_now(bulk: BulkDecision, reader: User, *, first: int = 0) -> BulkNow:
    """Read how it stands, and PAGE of its cases from the place ``first`` on; who may not see a case sees no name."""
    end = first + PAGE
    items, excluded = bulk.items[first:end], bulk.excluded[first:end]
    uuids = [one["case"] for one in (*items, *excluded)]
    cases = {str(one.uuid): one for one in cases_of(reader).filter(uuid__in=uuids)}
    outcomes = Counter(one["outcome"] for one in bulk.items)
    total = len(bulk.items)
    done = total - outcomes[""]
    spent = ((bulk.finished_at or timezone.now()) - bulk.began_at) if bulk.began_at else timedelta()
    each = spent / done if done else None
    running = bulk.status == BulkStatus.RUNNING
    return BulkNow(
        word=decision_word(bulk.decision),
        risky=bulk.decision in RISKY,
        effect=EFFECTS[Decision(bulk.decision)],
        items=[_item(cases, one, one["outcome"], OUTCOMES) for one in items],
        excluded=[_item(cases, one, one["why"], LEFT_OUT) for one in excluded],
        total=total,
        done=done,
        decided=outcomes["decided"],
        rate=timedelta(minutes=1) / each if each else None,
        left=each * (total - done) if each and running else None,
        running=running,
        waits_long=running and not done and spent > STALLED,
        version=f"{bulk.status}-{done}",
        left_out=len(bulk.excluded),
        first=first,
        next_first=end if max(total, len(bulk.excluded)) > end else None,
    )


def _item(cases: dict[str, Case], one: dict[str, str], code: str, words: dict[str, Promise]) -> BulkItem:
    return BulkItem(cases.get(one["case"]), str(one.get("result_id") or ""), code, str(words.get(code, code)))


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
