"""A project's invitations: made, listed, revoked."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from once_delivery.accounts.models import Invitation, Project, Role
from once_delivery.accounts.services.invitations import DAYS, BadInvitationError, revoke_invitation
from once_delivery.notices.services.announce_invitation import invite_by_mail, path_of
from once_delivery.ui.doors import MemberRequest, is_fresh
from once_delivery.ui.one_effect import one_effect
from once_delivery.ui.shown_once import keep_once, take_once
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.project_door import for_admins
from once_delivery.web.selectors.notices import mail_folder
from once_delivery.web.selectors.roles import role_choices
from once_delivery.web.selectors.tokens import invitation_rows

_LINK = "invitation"


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins
@one_effect
def invitations(request: MemberRequest, project: Project) -> HttpResponse:
    """Invite by e-mail; the link is shown once, too. Revoke."""
    wanted = request.GET.get("role", "")  # a page that misses somebody in a role leads here
    role = wanted if wanted in Role.values else Role.VIEWER
    answer = Answer({"role": role, "language": get_language() or settings.LANGUAGE_CODE})
    if request.method == "POST":
        if request.POST.get("act") == "revoke":
            _revoke(request, project)
            return redirect("web:invitations", code=project.code)
        typed = {name: request.POST.get(name, "") for name in ("email", "role", "language")}
        try:
            made, secret = invite_by_mail(project=project, **typed, user=request.user)
        except BadInvitationError as error:
            answer = answer_of(error, typed, column="email")
        else:
            keep_once(request, kind=f"{_LINK} {project.code}", secret=f"{made.email} {secret}")
            return redirect("web:invitations", code=project.code)
    email, _space, secret = take_once(request, kind=f"{_LINK} {project.code}").partition(" ")
    page = {
        "project": project,
        "rows": invitation_rows(project),
        "answer": answer,
        "fresh": is_fresh(request),
        "roles": role_choices(),
        "days": DAYS,
        "made_for": email,
        "folder": mail_folder(),
        "link": f"{settings.SITE_URL}{path_of(secret)}" if secret else "",
    }
    return render(request, "web/invitations.html", page, status=answer.status)


def _revoke(request: MemberRequest, project: Project) -> None:
    try:
        uuid = UUID(request.POST.get("invitation", ""))
    except ValueError:
        raise Http404 from None
    found = Invitation.objects.filter(project=project, uuid=uuid).select_related("project").first()
    if found is None:
        raise Http404
    revoke_invitation(invitation=found, user=request.user)
    messages.success(request, _("The invitation is revoked. Its link opens nothing."))
