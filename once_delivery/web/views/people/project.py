"""A project: which there are, what one is, and its settings."""

from __future__ import annotations

import zoneinfo

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from once_delivery.accounts.models import Project
from once_delivery.accounts.services.save_project import save_project
from once_delivery.common.digits import whole_number
from once_delivery.common.errors import InvalidInputError
from once_delivery.retention.rules import rule_of
from once_delivery.ui.doors import MemberRequest, is_fresh, signed_in
from once_delivery.web.fetch import project_of
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.permits import may_administer
from once_delivery.web.project_door import for_admins
from once_delivery.web.selectors.members import without_factor_count
from once_delivery.web.selectors.project import desk_of, memberships_of, overview_of


@require_safe
@signed_in
def projects(request: MemberRequest) -> HttpResponse:
    """Straight to the only one; a list where there are several."""
    found = memberships_of(request.user)
    if len(found) == 1:
        return redirect("web:project", code=found[0].project.code)
    return render(request, "web/projects.html", {"memberships": found})


@require_safe
@signed_in
def project(request: MemberRequest, code: str) -> HttpResponse:
    """Who is in it, when its people work, what its settings are; for admins also what they look after."""
    found = project_of(request.user, code)
    admin = may_administer(request.user, found)
    page = {
        "project": found,
        "overview": overview_of(found),
        "admin": admin,
        "desk": desk_of(found) if admin else None,
    }
    return render(request, "web/project.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins
def settings(request: MemberRequest, project: Project) -> HttpResponse:
    """Name, time zone, time to decide a case, second factor."""
    answer = Answer(
        {
            "name": project.name,
            "timezone": project.timezone,
            "case_hours": str(project.case_hours),
            "second_factor": "on" if project.requires_second_factor else "",
        }
    )
    if request.method == "POST":
        typed = {name: request.POST.get(name, "") for name in answer.typed}
        try:
            save_project(
                project=project,
                name=typed["name"],
                timezone=typed["timezone"],
                case_hours=number(typed["case_hours"]),
                requires_second_factor=bool(typed["second_factor"]),
                user=request.user,
            )
        except InvalidInputError as error:
            answer = answer_of(error, typed)
        else:
            messages.success(request, _("Saved."))
            return redirect("web:project-settings", code=project.code)
    page = {
        "project": project,
        "answer": answer,
        "fresh": is_fresh(request),
        "rule": rule_of(project),
        "without_factor": without_factor_count(project),
        "zones": sorted(zoneinfo.available_timezones()),
    }
    return render(request, "web/project_settings.html", page, status=answer.status)


def number(text: str) -> int:
    """A whole number as it was typed; 0 for what is none, which no service takes."""
    return whole_number(text.strip(), most=999_999) or 0
