"""Reports, and the files that were made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.shortcuts import get_object_or_404

from billing.exports.files import Format
from billing.exports.place import link_token
from billing.models import UNDER_WAY, Export, ExportStatus
from billing.reports.columns import Report
from billing.reports.registry import REPORTS
from once_delivery.accounts.models import Project, User
from once_delivery.ui.paging import Page, newest_first

PAGE = 30


@dataclass(frozen=True, slots=True)
class ExportRow:
    """One file; ``token`` leads this person to it, "" while there is none."""

    export: Export
    report: Report
    token: str


@dataclass(frozen=True, slots=True)
class Exports:
    """One page of the person's files, and the reports that there are."""

    page: Page[Export]
    rows: tuple[ExportRow, ...]
    reports: tuple[Report, ...]
    under_way: bool


def exports_of(project: Project, user: User, asked: Mapping[str, str]) -> Exports:
    """The person's own, newest first."""
    page = newest_first(
        Export.objects.filter(project=project, user=user), key=asked.get("before", ""), size=PAGE
    )
    return Exports(
        page=page,
        rows=tuple(
            ExportRow(
                one, REPORTS[one.report], link_token(one, user) if one.status == ExportStatus.DONE else ""
            )
            for one in page.rows
            if one.report in REPORTS
        ),
        reports=tuple(REPORTS.values()),
        under_way=any(one.status in UNDER_WAY for one in page.rows),
    )


def export_of(project: Project, user: User, uuid: UUID) -> Export:
    """One file that this person asked for, or 404."""
    return get_object_or_404(Export, project=project, user=user, uuid=uuid)


FORMATS = tuple(Format)
