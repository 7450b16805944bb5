"""Pull what attempts used from where it was told: receipts, looks at the target, and reports of outside workflows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from operator import itemgetter
from typing import Any

from django.db import transaction

from billing.held import held_months
from billing.locking import lock_books
from billing.services.learn_usage import learn_usage
from billing.services.match_lines import match_lines
from billing.services.price_usage import Priced, price_usage
from billing.suppliers.told import Told, told
from once_delivery.accounts.models import Project
from once_delivery.common.moments import aware_moment_of
from once_delivery.ledger.marker import idempotency_key_of
from once_delivery.ledger.models import Attempt, Observation, Receipt, UsageReport

_ACTION = ("attempt__action__task_id", "attempt__action__marker", "attempt__action__payload__model")

_Said = tuple[datetime, Told]  # when it was told, and what


@dataclass(frozen=True, slots=True)
class Pulled:
    """``new`` requests, ``better`` ones that replace what was told before, what they cost so far, lines they matched."""

    new: int
    better: int
    priced: Priced
    matched: int


def pull_usage(*, project: Project, actor: str, since: datetime | None = None) -> Pulled:
    """Afterwards each provider request that was told of stands once in the usage, and what can be priced is accrued.

    Lines of bills that waited for one of them are matched. What tells a request of a month on hold better is left to
    the pull after the hold.
    ``since``: only what was told since then; without it everything is looked through again, which adds nothing.
    """
    with transaction.atomic():
        lock_books([project.pk])
        learned = learn_usage(
            project=project, told=_told(project, since), actor=actor, held=held_months(project)
        )
        priced = price_usage(project=project, actor=actor)
        matched = (
            match_lines(project=project, actor=actor, automatic=True) if learned.new or learned.better else 0
        )
    return Pulled(learned.new, learned.better, priced, matched)


def _told(project: Project, since: datetime | None) -> list[Told]:
    """Oldest first: what is told later corrects what was told before."""
    said = chain(_receipts(project, since), _reports(project, since), _observations(project, since))
    return [one for _, one in sorted(said, key=itemgetter(0))]


def _receipts(project: Project, since: datetime | None) -> Iterator[_Said]:
    rows = Receipt.objects.filter(project=project).exclude(usage={}).order_by("pk")
    if since is not None:
        rows = rows.filter(received_at__gte=since)
    names = ("pk", "usage", "received_at", "attempt_id", "attempt__key_generation", *_ACTION)
    for row in rows.values(*names).iterator(chunk_size=2000):
        found = _one(row["usage"], f"receipt:{row['pk']}", row["received_at"], row)
        if found is not None:
            yield row["received_at"], found


def _reports(project: Project, since: datetime | None) -> Iterator[_Said]:
    rows = UsageReport.objects.filter(project=project).order_by("pk")
    if since is not None:
        rows = rows.filter(reported_at__gte=since)
    names = ("pk", "usage", "reported_at", "attempt_id", "attempt__intended_at", "attempt__key_generation")
    for row in rows.values(*names, *_ACTION).iterator(chunk_size=2000):
        # it may be told weeks later; what it tells of was used by the send
        found = _one(row["usage"], f"report:{row['pk']}", row["attempt__intended_at"], row)
        if found is not None:
            yield row["reported_at"], found


def _one(usage: Mapping[str, Any], key: str, used_at: datetime, row: Mapping[str, Any]) -> Told | None:
    return told(
        usage,
        source_key=key,
        used_at=used_at,
        attempt_id=row["attempt_id"],
        task_id=row["attempt__action__task_id"],
        model=_model(row["attempt__action__payload__model"]),
        idempotency_key=idempotency_key_of(row["attempt__action__marker"], row["attempt__key_generation"]),
    )


def _observations(project: Project, since: datetime | None) -> Iterator[_Said]:
    rows = Observation.objects.filter(project=project).exclude(objects_seen=[]).order_by("pk")
    if since is not None:
        rows = rows.filter(recorded_at__gte=since)
    looks = [
        row
        for row in rows.values(
            "pk", "action_id", "objects_seen", "looked_at", "recorded_at", "action__task_id", "action__marker",
            "action__payload__model",
        ).iterator(chunk_size=2000)
        if any(seen.get("usage") for seen in row["objects_seen"])
    ]  # fmt: skip
    attempts = _attempts({row["action_id"] for row in looks})
    for row in looks:
        for index, seen in enumerate(row["objects_seen"]):
            attempt = _attempt_of(seen, row["looked_at"], attempts[row["action_id"]])
            if attempt is None or not seen.get("usage"):
                continue
            found = told(
                seen["usage"],
                source_key=f"observation:{row['pk']}:{index}",
                used_at=_created(seen) or row["looked_at"],
                attempt_id=attempt.pk,
                task_id=row["action__task_id"],
                model=_model(row["action__payload__model"]),
                idempotency_key=idempotency_key_of(row["action__marker"], attempt.key_generation),
            )
            if found is not None:
                yield row["recorded_at"], found


def _attempts(action_ids: set[int]) -> dict[int, list[Attempt]]:
    """The attempts of each action with the result IDs that came back for them, oldest first."""
    found: dict[int, list[Attempt]] = defaultdict(list)
    rows = Attempt.objects.filter(action__in=action_ids).prefetch_related("receipts").order_by("number")
    for attempt in rows:
        found[attempt.action_id].append(attempt)
    return found


def _attempt_of(seen: Mapping[str, Any], looked_at: datetime, attempts: list[Attempt]) -> Attempt | None:
    """The attempt whose answer named this object; else the last that began before it was made and got no other one."""
    named = seen.get("result_id") or ""
    results = {attempt.pk: {one.result_id for one in attempt.receipts.all()} - {""} for attempt in attempts}
    for attempt in attempts:
        if named in results[attempt.pk]:
            return attempt
    made = _created(seen) or looked_at
    without = [one for one in attempts if not results[one.pk]]
    before = [one for one in without if one.intended_at <= made]
    if before:
        return before[-1]
    return next(iter(without or attempts), None)


def _created(seen: Mapping[str, Any]) -> datetime | None:
    return aware_moment_of(seen.get("created_at"))


def _model(said: Any) -> str:
    return said[:200] if isinstance(said, str) else ""
