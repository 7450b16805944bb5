"""A batch file before it is imported: what it would do, or what is wrong with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from once_delivery.accounts.models import Project, User
from once_delivery.common.digits import whole_number
from once_delivery.common.errors import Problem
from once_delivery.common.sheets.problems import Note
from once_delivery.intake.models import Upload
from once_delivery.intake.report_data import notes_of, problems_of
from once_delivery.intake.services.uploads import IMPORTERS
from once_delivery.ledger.models import Batch
from once_delivery.targets.models import Target

PAGE = 100
ROWS_NAMED = 12
WAITING = 5


@dataclass(frozen=True, slots=True)
class Group:
    """Problems of one kind in one column: how many, in which rows, and the first of them in words."""

    key: str
    sentence: str
    column: str
    count: int
    rows: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Troubles:
    """What is wrong with a file; ``unlisted`` are counted only."""

    count: int
    unlisted: int
    groups: list[Group]
    rows: Sequence[Problem]
    chosen: str
    number: int
    pages: int

    @property
    def before(self) -> int:
        return self.number - 1

    @property
    def after(self) -> int:
        return self.number + 1 if self.number < self.pages else 0


@dataclass(frozen=True, slots=True)
class Tried:
    """A file with what its dry run said. ``into``: the batch of that name that exists already."""

    upload: Upload
    ok: bool
    troubles: Troubles
    notes: list[Note]
    into: Batch | None

    @property
    def nothing_new(self) -> bool:
        result = self.upload.report.get("result", {})
        return self.ok and not (result.get("tasks_new") or result.get("actions_new"))


def importable(user: User) -> QuerySet[Project]:
    """The projects for which the person may ask."""
    if not user.is_active:
        return Project.objects.none()
    own = Project.objects.filter(memberships__user=user, memberships__role__in=IMPORTERS)
    return own.order_by("name")


def targets_of(user: User) -> QuerySet[Target]:
    """The targets of those projects, without what drills have made for themselves."""
    return (
        Target.objects.filter(project__in=importable(user), of_drill=False)
        .select_related("project")
        .defer("declaration", "credentials_sealed")
        .order_by("project__name", "name")
    )


def waiting_of(user: User) -> list[Upload]:
    """Files of the person that were tried and not imported."""
    found = Upload.objects.filter(user=user, project__in=importable(user), applied_at__isnull=True)
    return list(found.select_related("project").defer("data").order_by("-pk")[:WAITING])


def tried(upload: Upload, *, chosen: str = "", page: str = "") -> Tried:
    """Read what is kept of the dry run."""
    report = upload.report
    name = str(report.get("batch_name", ""))
    into = None
    if name and upload.batch is None:
        into = Batch.objects.filter(project=upload.project, name=name).first()
    return Tried(
        upload=upload,
        ok=bool(report.get("ok")),
        troubles=_troubles(upload, chosen, page),
        notes=notes_of(report),
        into=into,
    )


def _troubles(upload: Upload, chosen: str, page: str) -> Troubles:
    listed = [one for one in problems_of(upload.report) if one.code != "more-problems"]
    groups: dict[str, list[Problem]] = defaultdict(list)
    for one in listed:
        groups[f"{one.code}|{_part(one)}"].append(one)
    chosen = chosen if chosen in groups else ""
    shown = groups[chosen] if chosen else listed
    pages = max(1, -(-len(shown) // PAGE))
    number = min(whole_number(page, least=1) or 1, pages)
    count = int(upload.report.get("count", 0))
    return Troubles(
        count=count,
        unlisted=max(0, count - len(listed)),
        groups=[
            _group(key, ones, chosen=key == chosen)
            for key, ones in sorted(groups.items(), key=lambda group: -len(group[1]))
        ],
        rows=shown[(number - 1) * PAGE : number * PAGE],
        chosen=chosen,
        number=number,
        pages=pages,
    )


def _part(one: Problem) -> str:
    """The column, or the last name of a pointer."""
    if one.column:
        return one.column
    names = [part for part in (one.pointer or "").split("/") if part and not part.isdecimal()]
    return names[-1] if names else ""


def _group(key: str, ones: Sequence[Problem], *, chosen: bool) -> Group:
    return Group(
        key=key,
        sentence=ones[0].message,
        column=_part(ones[0]),
        count=len(ones),
        rows=_ranges(sorted({one.row for one in ones if one.row is not None})),
        chosen=chosen,
    )


def _ranges(rows: Sequence[int]) -> str:
    """2–14, 20, 31: neighbours together, the first dozen."""
    found: list[list[int]] = []
    for row in rows:
        if found and row == found[-1][1] + 1:
            found[-1][1] = row
        else:
            found.append([row, row])
    words = [str(first) if first == last else f"{first}–{last}" for first, last in found[:ROWS_NAMED]]
    return ", ".join(words) + (" …" if len(found) > ROWS_NAMED else "")
