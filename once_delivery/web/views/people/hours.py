"""A project's working hours: when the clocks of its cases run."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from once_delivery.accounts.models import Project
from once_delivery.common.errors import InvalidInputError
from once_delivery.ui.doors import MemberRequest, is_fresh
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.project_door import for_admins
from once_delivery.web.selectors.project import calendar_of
from reconciliation.case_clock import due_of
from reconciliation.services.save_calendar import remove_calendar, save_calendar

OFFICE = {"opens": "09:00", "closes": "18:00", "holidays": ""}
WEEK = [str(day) for day in range(5)]


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins
def hours(request: MemberRequest, project: Project) -> HttpResponse:
    """Days, times and holidays; or day and night."""
    found = calendar_of(project)
    answer, days = Answer(dict(OFFICE)), WEEK
    if found is not None:
        days = [str(day) for day in found.days]
        answer = Answer(
            {
                "opens": f"{found.opens:%H:%M}",
                "closes": f"{found.closes:%H:%M}",
                "holidays": "\n".join(found.holidays),
            }
        )
    if request.method == "POST":
        if request.POST.get("act") == "always":
            remove_calendar(project=project, user=request.user)
            messages.success(request, _("The clocks of this project run day and night."))
            return redirect("web:hours", code=project.code)
        typed = {name: request.POST.get(name, "") for name in OFFICE}
        days = request.POST.getlist("days")
        try:
            save_calendar(project=project, days=days, **typed, user=request.user)
        except InvalidInputError as error:
            answer = answer_of(error, typed)
        else:
            messages.success(request, _("Saved. Cases that are open keep the time by which they are due."))
            return redirect("web:hours", code=project.code)
    now = timezone.now()
    page = {
        "project": project,
        "calendar": found,
        "answer": answer,
        "fresh": is_fresh(request),
        "week": [(str(day), word, str(day) in days) for day, word in WEEKDAYS.items()],
        "now": now,
        "due": due_of(project, now),
    }
    return render(request, "web/hours.html", page, status=answer.status)
