"""Setting up a target, and changing it: credentials are written and never read back."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import Project
from once_delivery.ui.doors import MemberRequest, ask_to_confirm, is_fresh, signed_in
from once_delivery.ui.one_effect import one_effect
from once_delivery.web.fetch import target_of
from once_delivery.web.permits import RESUMERS, may_change_targets
from once_delivery.web.target_form.form import TargetForm, fill, form_for, store
from once_delivery.web.target_form.start import choices, start_of, start_of_target

WRONG = 422


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@one_effect
def new(request: MemberRequest) -> HttpResponse:
    """First what it is, then the form with the defaults of that kind."""
    projects = list(
        projects_of(request.user)
        .filter(memberships__user=request.user, memberships__role__in=RESUMERS)
        .order_by("name")
    )
    if not projects:
        raise PermissionDenied
    project = _chosen(projects, request.GET.get("project", ""))
    if not request.GET.get("kind"):
        page = {"choices": choices(), "projects": projects, "project": project}
        return render(request, "web/targets/choose.html", page)
    start = start_of(
        request.GET["kind"],
        ready=request.GET.get("ready", ""),
        guard=request.GET.get("guard", ""),
        service_name=request.GET.get("service", ""),
    )
    if start is None:
        raise Http404
    return _answer(request, form_for(project=project, start=start))


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Change a stored target."""
    found = target_of(request.user, uuid)
    if not may_change_targets(request.user, found.project):
        raise PermissionDenied
    return _answer(request, form_for(project=found.project, start=start_of_target(found), target=found))


def _answer(request: MemberRequest, form: TargetForm) -> HttpResponse:
    """The form; what was typed stays whatever is wrong, the confirmation being over included."""
    fresh = is_fresh(request)
    if request.method != "POST":
        return render(request, "web/targets/form.html", _page(form)) if fresh else ask_to_confirm(request)
    fill(form, request.POST.dict())
    stored = store(form, request.POST.dict()) if fresh else None
    if stored is None:
        return render(request, "web/targets/form.html", {**_page(form), "stale": not fresh}, status=WRONG)
    messages.success(
        request, _("Stored. Test the connection now: it reads only, and says line by line what is in order.")
    )
    return redirect("web:target", uuid=stored.uuid)


def _page(form: TargetForm) -> dict[str, object]:
    return {"form": form, "start": form.start, "project": form.project, "target": form.target}


def _chosen(projects: list[Project], code: str) -> Project:
    """The project of the address; one that is not theirs is not there (R14)."""
    if not code:
        return projects[0]
    for one in projects:
        if one.code == code:
            return one
    raise Http404
