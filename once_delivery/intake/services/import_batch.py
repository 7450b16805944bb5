"""Import a batch file: all of it or nothing, and every problem by its row and column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from types import MappingProxyType
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone

from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.common.sheets.limits import current_limits
from once_delivery.common.sheets.problems import LISTED, Problems, refusal
from once_delivery.intake.reading import Reading, read_batch
from once_delivery.intake.report import ImportReport
from once_delivery.ledger.requests import BatchResult
from once_delivery.ledger.services.request_batch import request_batch

NO_ATTACHMENTS: Mapping[str, bytes] = MappingProxyType({})

# where a problem that only the ledger can see stands in the file
_PART_OF_CODE = {
    "unknown-target": "target",
    "unknown-locale": "locale",
    "unknown-input-version": "input_version",
    "bad-input-version": "input_version",
    "input-version-changed": "brief",
    "content-changed": "body",
}


def import_batch(
    *,
    project: Project,
    data: bytes,
    file_name: str,
    batch_name: str = "",
    user: User | None,
    dry_run: bool = False,
    attachments: Mapping[str, bytes] = NO_ATTACHMENTS,
    default_target: str = "",
    listed: int = LISTED,
) -> ImportReport:
    """Afterwards the file's batch refers to every task that the file asks for; a dry run leaves nothing.

    ``default_target`` is the target of rows that name none; ``listed`` problems are told one by one.
    Raises ImportRefusedError with all problems, in the order of the rows, and nothing was kept.
    """
    limits = replace(current_limits(), problems=listed)
    problems = Problems(listed)
    reading = read_batch(
        data=data,
        file_name=file_name,
        batch_name=batch_name,
        attachments=attachments,
        default_target=default_target,
        zone=_zone(project),
        limits=limits,
        problems=problems,
    )
    try:
        result = request_batch(project=project, request=reading.request, user=user, dry_run=dry_run)
    except InvalidInputError as error:
        raise refusal(
            _placed(error.problems, reading),
            notes=problems.notes,
            most=limits.problems,
        ) from error
    return _report(reading, result, problems, dry_run=dry_run)


def _report(reading: Reading, result: BatchResult, problems: Problems, *, dry_run: bool) -> ImportReport:
    return ImportReport(
        batch_name=reading.request.name,
        format=reading.format.value,
        dry_run=dry_run,
        deliveries=len(reading.request.deliveries),
        files=len(reading.request.files),
        result=result,
        notes=tuple(problems.notes),
    )


def _placed(problems: Sequence[Problem], reading: Reading) -> list[Problem]:
    """The ledger knows the row; the file knows the column. What two actions of a row say alike is told once."""
    placed: dict[str, Problem] = {}
    for problem in problems:
        if problem.row is not None and not problem.column and not problem.pointer:
            part = _PART_OF_CODE.get(problem.code) or str(problem.params.get("name", ""))
            place = reading.place(problem.row, part)
            problem = replace(problem, column=place.column, pointer=place.pointer)  # noqa: PLW2901
        placed.setdefault(repr(problem), problem)
    return list(placed.values())


def _zone(project: Project) -> tzinfo:
    """Dates without an offset are meant where the project works."""
    try:
        return ZoneInfo(project.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        return timezone.get_default_timezone()
