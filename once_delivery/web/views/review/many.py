"""Accept many: choose, read what they are now, see what would be accepted and what not, run, undo."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from once_delivery.ledger.models import Task
from once_delivery.review.people import may_review, may_review_any
from once_delivery.review.services.accept_many import plan_accepting, read_drafts
from once_delivery.review.services.decide import Decider
from once_delivery.ui.answering import keep_answer
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.selectors.review_filters import ReviewFilters
from once_delivery.web.selectors.review_jobs import MOST, chosen_tasks, job_of, run_some, start, undo_job

WRONG = 422


@require_POST
@signed_in
def plan(request: MemberRequest) -> HttpResponse:
    """Read the chosen drafts at their targets; nothing is decided."""
    if not may_review_any(request.user):
        raise PermissionDenied
    tasks = chosen_tasks(request.user, request.POST.getlist("task"))
    _all_mine(request, tasks)
    filters = ReviewFilters.of(request.GET.dict())
    if not tasks:
        messages.warning(request, _("Choose the drafts first. Nothing was accepted."))
        return redirect(f"{reverse('web:review')}{filters.query()}")
    plan = plan_accepting(tasks=tasks, decider=Decider(user=request.user))
    page = {
        "filters": filters,
        "accepted": [one for one in plan if one.error is None],
        "left_out": [one for one in plan if one.error is not None],
        "most": MOST,
    }
    keep_answer(request)
    return render(request, "web/review/plan.html", page)


@require_POST
@signed_in
def read(request: MemberRequest) -> HttpResponse:
    """Read the drafts that nobody has read yet, so that the list shows what the targets hold."""
    tasks = chosen_tasks(request.user, request.POST.getlist("unread"))
    _all_mine(request, tasks)
    failed = sum(one.draft is None for one in read_drafts(tasks))
    if failed:
        said = ngettext("%(count)s draft could not be read.", "%(count)s drafts could not be read.", failed)
        messages.warning(request, said % {"count": failed})
    return redirect(f"{reverse('web:review')}{ReviewFilters.of(request.GET.dict()).query()}")


@require_POST
@signed_in
def run(request: MemberRequest) -> HttpResponse:
    """Keep what was planned and begin."""
    if not may_review_any(request.user):
        raise PermissionDenied
    hashes = dict(item.split(":", 1) for item in request.POST.getlist("item") if ":" in item)
    tasks = chosen_tasks(request.user, list(hashes))
    _all_mine(request, tasks)
    if not tasks:
        return redirect("web:review")
    job = start(request.session, [(str(task.uuid), hashes[str(task.uuid)]) for task in tasks])
    return redirect("web:review-run", job=job)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def progress(request: MemberRequest, job: UUID) -> HttpResponse:
    """How far it is. A part is done with each POST: by the page itself with its script, else by a button."""
    found = job_of(request.session, request.user, job)
    if found is None:
        raise Http404
    if request.method == "POST":
        _all_mine(request, [one.task for one in found.items])
        run_some(request.session, request.user, job)
        if not request.htmx:
            return redirect("web:review-run", job=job)
        found = job_of(request.session, request.user, job)
    name = "web/review/run.html#live" if request.htmx else "web/review/run.html"
    return render(request, name, {"job": found})


@require_POST
@signed_in
def undo(request: MemberRequest, job: UUID) -> HttpResponse:
    """Take back what this run accepted, as far as those decisions still stand."""
    found = job_of(request.session, request.user, job)
    if found is None:
        raise Http404
    _all_mine(request, [one.task for one in found.items])
    undo_job(request.session, request.user, job)
    return redirect("web:review-run", job=job)


def _all_mine(request: MemberRequest, tasks: Sequence[Task]) -> None:
    for project in {task.project_id: task.project for task in tasks}.values():
        if not may_review(request.user, project):
            raise PermissionDenied
