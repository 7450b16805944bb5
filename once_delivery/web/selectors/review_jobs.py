"""A run of many accepts: kept in the person's session, done part by part, so that it survives a reload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib.sessions.backends.base import SessionBase

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Task
from once_delivery.review.models import Review
from once_delivery.review.services.accept_many import accept_many
from once_delivery.review.services.decide import Decider, take_back

MOST = 50  # drafts a run: what a page shows
PART = 10  # drafts a request
_KEPT = 5  # runs a session
_KEY = "review_runs"


@dataclass(frozen=True, slots=True)
class Item:
    """One draft of a run. ``outcome``: "" (not yet), "accepted", "undone", or "left" with ``why``."""

    task: Task
    outcome: str
    why: str


@dataclass(frozen=True, slots=True)
class Job:
    """A run as it stands."""

    uuid: str
    items: list[Item]

    def of(self, outcome: str) -> list[Item]:
        return [item for item in self.items if item.outcome == outcome]

    @property
    def accepted(self) -> list[Item]:
        return self.of("accepted")

    @property
    def undone(self) -> list[Item]:
        return self.of("undone")

    @property
    def left(self) -> list[Item]:
        return self.of("left")

    @property
    def done(self) -> int:
        return sum(item.outcome != "" for item in self.items)

    @property
    def finished(self) -> bool:
        return self.done == len(self.items)


def chosen_tasks(user: User, uuids: Sequence[str]) -> list[Task]:
    """The tasks of these that are the person's to see, in their order; at most MOST."""
    known = [uuid for uuid in dict.fromkeys(uuids[:MOST]) if _is_uuid(uuid)]
    found = {
        str(task.uuid): task
        for task in Task.objects.filter(project__in=projects_of(user), uuid__in=known)
        .select_related("project", "product", "input_version")
        .defer("input_version__content")
    }
    return [found[uuid] for uuid in known if uuid in found]


def start(session: SessionBase, items: Sequence[tuple[str, str]]) -> str:
    """Keep a run of (task, content hash) and give its ID."""
    job = str(uuid4())
    jobs = dict(list(session.get(_KEY, {}).items())[-_KEPT + 1 :])
    jobs[job] = [
        {"task": task, "hash": content_hash, "outcome": "", "why": "", "review": ""}
        for task, content_hash in items
    ]
    session[_KEY] = jobs
    return job


def job_of(session: SessionBase, user: User, job: UUID) -> Job | None:
    """The run, as far as its tasks are the person's to see."""
    kept = session.get(_KEY, {}).get(str(job))
    if kept is None:
        return None
    tasks = {str(task.uuid): task for task in chosen_tasks(user, [one["task"] for one in kept])}
    items = [Item(tasks[one["task"]], one["outcome"], one["why"]) for one in kept if one["task"] in tasks]
    return Job(str(job), items)


def run_some(session: SessionBase, user: User, job: UUID) -> None:
    """Accept the next PART drafts."""
    kept = session[_KEY][str(job)]
    part = [one for one in kept if not one["outcome"]][:PART]
    tasks = {str(task.uuid): task for task in chosen_tasks(user, [one["task"] for one in part])}
    hashes = {tasks[one["task"]].pk: one["hash"] for one in part if one["task"] in tasks}
    outcomes = accept_many(tasks=list(tasks.values()), hashes=hashes, decider=Decider(user=user))
    by_task = {str(outcome.task.uuid): outcome for outcome in outcomes}
    for one in part:
        outcome = by_task.get(one["task"])
        if outcome is not None and outcome.review is not None:
            one |= {"outcome": "accepted", "review": str(outcome.review.uuid)}
        else:
            one |= {"outcome": "left", "why": outcome.error.message if outcome and outcome.error else ""}
    session.modified = True


def undo_job(session: SessionBase, user: User, job: UUID) -> None:
    """Take back each decision of the run that still stands; a later decision stays."""
    kept = session[_KEY][str(job)]
    tasks = {str(task.uuid): task for task in chosen_tasks(user, [one["task"] for one in kept])}
    for one in kept:
        if one["outcome"] != "accepted" or one["task"] not in tasks:
            continue
        review = Review.objects.filter(task=tasks[one["task"]], uuid=one["review"]).first()
        try:
            take_back(task=tasks[one["task"]], decider=Decider(user=user), only=review)
        except DomainError as error:
            one |= {"outcome": "left", "why": error.message}
        else:
            one["outcome"] = "undone"
    session.modified = True


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
