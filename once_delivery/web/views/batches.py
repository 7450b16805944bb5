"""Batches, and one of them: runs beside deliveries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from once_delivery.intake.models import Upload
from once_delivery.ledger.models import Batch, Forgotten
from once_delivery.ledger.states import State
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.ui.templatetags.ui import person
from once_delivery.web.fetch import batch_of
from once_delivery.web.page_keys import BATCHES
from once_delivery.web.permits import may_resume
from once_delivery.web.selectors.batch import batch_now
from once_delivery.web.selectors.batch_filter import batch_filter, choices_of, choices_of_batch
from once_delivery.web.selectors.batches import BatchRow, all_rows, batch_page
from once_delivery.web.selectors.deliveries import within
from once_delivery.web.selectors.imports import importable
from once_delivery.web.selectors.saved_views import views_of
from once_delivery.web.views.csv_files import csv_file

UNCHANGED = 204  # htmx leaves the page as it is


@require_safe
@signed_in
def batches(request: MemberRequest) -> HttpResponse:
    """All batches of my projects, newest first."""
    chosen = batch_filter(request.GET)
    page = {
        "found": batch_page(request.user, chosen=chosen, key=request.GET.get("before", "")),
        "chosen": chosen,
        "choices": choices_of(request.user),
        "views": views_of(request.user, "batches"),
        "may_import": importable(request.user).exists(),
        "keys": BATCHES,
    }
    return render(request, "web/batches.html", page)


@require_safe
@signed_in
def export(request: MemberRequest) -> HttpResponse:
    """What is shown, all pages of it, as CSV; sent while it is read."""
    rows = all_rows(request.user, chosen=batch_filter(request.GET))
    return csv_file("batches.csv", _lines(rows))


def _lines(rows: Iterable[BatchRow]) -> Iterator[list[str | int]]:
    states = [str(state.label) for state in State]
    yield [_("Batch"), _("Project"), _("File"), _("Tasks"), *states, _("Asked for"), _("By")]
    for row in rows:
        one = row.batch
        by = person(one.requested_by) if one.requested_by else ""
        counts = [row.tally.by_state.get(state, 0) for state in State]
        yield [
            one.name,
            one.project.code,
            one.source_name,
            row.task_count,
            *counts,
            one.created_at.isoformat(),
            by,
        ]


@require_safe
@signed_in
def batch(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One batch. Its part that changes is fetched again from the same address while something moves."""
    found = batch_of(request.user, uuid)
    key = request.GET.get("after", "")
    chosen = within(request.GET)
    now = batch_now(found, key=key, chosen=chosen)
    if request.htmx and request.GET.get("seen") == now.version:
        return HttpResponse(status=UNCHANGED)
    page = {
        "batch": found,
        "project": found.project,
        "now": now,
        "key": key,
        "chosen": chosen,
        "choices": choices_of_batch(found) if not request.htmx else None,
        "forgotten": 0 if request.htmx else Forgotten.objects.filter(task__references__batch=found).count(),
        "upload": None if request.htmx else _upload_of(found),
        "may_resume": may_resume(request.user, found.project),
    }
    return render(request, "web/batch.html#live" if request.htmx else "web/batch.html", page)


def _upload_of(batch: Batch) -> Upload | None:
    """The file that was imported last for the batch."""
    return Upload.objects.filter(batch=batch).defer("data", "report").order_by("-pk").first()
