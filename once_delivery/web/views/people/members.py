"""The people of a project: the list, one of them, and who owns what nobody else does."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from once_delivery.accounts.models import Membership, Project, User
from once_delivery.accounts.services.members import (
    NotMemberError,
    change_role,
    name_owners,
    remove_member,
    set_absence,
)
from once_delivery.common.errors import DomainError
from once_delivery.common.moments import meant
from once_delivery.ui.doors import MemberRequest, ask_to_confirm, is_fresh, signed_in
from once_delivery.ui.templatetags.ui import person
from once_delivery.web.fetch import member_of, project_of
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.permits import may_administer
from once_delivery.web.project_door import for_admins
from once_delivery.web.selectors.members import member_rows, office_of, passing_on
from once_delivery.web.selectors.roles import role_choices

CONFLICT, WRONG = 409, 422


@require_safe
@signed_in
def members(request: MemberRequest, code: str) -> HttpResponse:
    """Every member reads who is in; admins go on to each of them."""
    project = project_of(request.user, code)
    page = {
        "project": project,
        "rows": member_rows(project),
        "admin": may_administer(request.user, project),
    }
    return render(request, "web/members.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def member(request: MemberRequest, code: str, pk: int) -> HttpResponse:
    """One member, for admins and for themselves: absence; role and removal are the admin's alone."""
    project = project_of(request.user, code)
    membership = member_of(project, pk)
    admin, own = may_administer(request.user, project), membership.user_id == request.user.pk
    if not admin and not own:
        raise PermissionDenied
    answer, status = Answer(), 200
    if request.method == "POST":
        act = request.POST.get("act", "")
        # one's own absence is no risk; everything else is asked of an admin who has just shown who they are
        risky = act != "absence" or not own
        if risky and not admin:
            raise PermissionDenied
        if risky and not is_fresh(request):
            return ask_to_confirm(request)
        try:
            messages.success(request, _act(request, membership, act))
        except DomainError as error:
            answer, status = answer_of(error, {}), CONFLICT
        except ValueError:
            typed = {"until": request.POST.get("until", "")[:20]}
            answer, status = Answer(typed, {"until": [_("Write a day that is still to come.")]}), WRONG
        else:
            where = {"code": code} if act == "remove" else {"code": code, "pk": pk}
            return redirect("web:members" if act == "remove" else "web:member", **where)
    page = {"admin": admin, "own": own, "answer": answer, "fresh": is_fresh(request)}
    return render(request, "web/member.html", page | _about(membership), status=status)


def _about(membership: Membership) -> dict[str, Any]:
    return {
        "project": membership.project,
        "membership": membership,
        "office": office_of(membership.project, membership.user_id),
        "passing": passing_on(membership),
        "roles": role_choices(),
        "away_until": _day_of(membership),
    }


def _act(request: MemberRequest, membership: Membership, act: str) -> str:
    """Raises DomainError; ValueError when a day is none."""
    name = {"name": person(membership.user)}
    if act == "role":
        change_role(membership=membership, role=request.POST.get("role", ""), user=request.user)
        return _("The role of %(name)s is changed.") % name
    if act == "remove":
        remove_member(membership=membership, user=request.user)
        return _("%(name)s is not a member any more. Their open cases pass on within the minute.") % name
    if act == "absence":
        until = _end_of(request.POST.get("until", ""), membership.project)
        set_absence(membership=membership, until=until, user=request.user)
        if until is None:
            return _("%(name)s is here.") % name
        return _("%(name)s is away. Their open cases pass on within the minute.") % name
    raise PermissionDenied


def _day_of(membership: Membership) -> str:
    """The day until which they are away, as a form has it; "" when they are here."""
    until = membership.absent_until
    if until is None or until <= timezone.now():
        return ""
    return until.astimezone(ZoneInfo(membership.project.timezone)).date().isoformat()


def _end_of(text: str, project: Project) -> datetime | None:
    """The end of that day in the project's time zone; None for nothing. Raises ValueError."""
    if not text.strip():
        return None
    until = datetime.combine(date.fromisoformat(text.strip()), time(23, 59, 59), ZoneInfo(project.timezone))
    if meant(until) is None or until <= timezone.now():
        raise ValueError(text)
    return until


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins
def owners(request: MemberRequest, project: Project) -> HttpResponse:
    """Who owns what nobody else does, and who stands in for them (R13)."""
    answer = Answer({"default": str(project.default_owner_id), "stand_in": str(project.stand_in_owner_id)})
    rows = member_rows(project)
    if request.method == "POST":
        people = {str(row.membership.user_id): row.membership.user for row in rows}
        typed = {name: request.POST.get(name, "") for name in answer.typed}
        # who is not in the list was removed meanwhile, or never was in it: the service says so
        default, stand_in = (people.get(typed[name], User()) for name in ("default", "stand_in"))
        try:
            name_owners(project=project, default_owner=default, stand_in=stand_in, user=request.user)
        except NotMemberError as error:
            answer = answer_of(error, typed, column="default")
        else:
            messages.success(request, _("Saved."))
            return redirect("web:members", code=project.code)
    page = {"project": project, "rows": rows, "answer": answer, "fresh": is_fresh(request)}
    return render(request, "web/owners.html", page, status=answer.status)
