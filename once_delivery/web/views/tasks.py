"""One task with its whole story."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import task_of
from once_delivery.web.selectors.finance.beside import costs_of_task
from once_delivery.web.selectors.task import story_of
from once_delivery.web.selectors.task_more import more_of


@require_safe
@signed_in
def task(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Identity, facts, guard, time line, versions."""
    found = task_of(request.user, uuid)
    story = story_of(found, before=request.GET.get("before", ""))
    page = {
        "task": found,
        "project": found.project,
        "story": story,
        "costs": costs_of_task(found, request.user),
        "more": more_of(found, [one.action for one in story.actions]),
    }
    return render(request, "web/task.html", page)
