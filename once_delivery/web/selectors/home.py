"""What waits for me: one answer a project, and what supports it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Min, Q

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import Project, User
from once_delivery.web.selectors.batch_filter import in_trouble, without_drills
from once_delivery.web.selectors.batches import BatchRow, batches_of, rows_of
from once_delivery.web.selectors.duties import Duties, duties_of
from once_delivery.web.selectors.states import Tally
from once_delivery.web.selectors.tallies import tallies_of_projects
from once_delivery.web.wording import DRILLS
from reconciliation.models import Case, CaseStatus

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Waiting:
    """Open cases: how many, and since when the oldest waits."""

    count: int = 0
    oldest: datetime | None = None


@dataclass(frozen=True, slots=True)
class ProjectNow:
    """A project's answer. ``mine`` is part of ``waiting``."""

    project: Project
    tally: Tally
    mine: Waiting
    waiting: Waiting


@dataclass(frozen=True, slots=True)
class DrillRow:
    """A drill in a list."""

    uuid: UUID
    status: str
    started_at: datetime
    project_name: str

    @property
    def word(self) -> str:
        return str(DRILLS.get(self.status, self.status))


@dataclass(frozen=True, slots=True)
class Home:
    """The home page."""

    projects: list[ProjectNow]
    duties: Duties
    batches: list[BatchRow]
    drills: list[DrillRow]


def home_of(user: User) -> Home:
    """Everything on the home page; the number of queries does not grow with the number of projects."""
    projects = list(projects_of(user).select_related("client").order_by("name"))
    tallies = tallies_of_projects(projects)
    mine, waiting = _waiting(projects, user)
    troubled = without_drills(batches_of(user).filter(pk__in=in_trouble(user))).order_by("-pk")[:SHOWN]
    return Home(
        projects=[
            ProjectNow(
                project=project,
                tally=tallies[project.pk],
                mine=mine.get(project.pk, Waiting()),
                waiting=waiting.get(project.pk, Waiting()),
            )
            for project in projects
        ],
        duties=duties_of(user),
        batches=rows_of(list(troubled)),
        drills=_drills(user),
    )


def _waiting(projects: Iterable[Project], user: User) -> tuple[dict[int, Waiting], dict[int, Waiting]]:
    """By project: the person's own open cases, and everybody's."""
    own = Q(owner=user)
    rows = (
        Case.objects.filter(project__in=projects, status=CaseStatus.OPEN)
        .values_list("project_id")
        .annotate(
            count=Count("pk"),
            oldest=Min("opened_at"),
            own_count=Count("pk", filter=own),
            own_oldest=Min("opened_at", filter=own),
        )
        .order_by()
    )
    mine, waiting = {}, {}
    for project_id, count, oldest, own_count, own_oldest in rows:
        waiting[project_id] = Waiting(count, oldest)
        mine[project_id] = Waiting(own_count, own_oldest)
    return mine, waiting


def _drills(user: User) -> list[DrillRow]:
    """The latest drills, through the project's own relation: the pages know nothing of the drill's code."""
    rows = (
        projects_of(user)
        .filter(drills__isnull=False)
        .order_by("-drills__started_at")
        .values_list("drills__uuid", "drills__status", "drills__started_at", "name")[:SHOWN]
    )
    return [DrillRow(*row) for row in rows]
