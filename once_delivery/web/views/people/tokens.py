"""A project's API tokens: made, listed, revoked."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from once_delivery.accounts.models import ApiToken, Project, Role
from once_delivery.accounts.services.api_tokens import DAYS_MOST, BadTokenError, make_token, revoke_token
from once_delivery.ui.doors import MemberRequest, is_fresh
from once_delivery.ui.one_effect import one_effect
from once_delivery.ui.shown_once import keep_once, take_once
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.project_door import for_admins
from once_delivery.web.selectors.roles import role_choices
from once_delivery.web.selectors.tokens import token_rows
from once_delivery.web.views.people.project import number


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins
@one_effect
def tokens(request: MemberRequest, project: Project) -> HttpResponse:
    """A new token's secret is shown once."""
    answer = Answer({"name": "", "role": Role.OPS_OWNER, "days": "90"})
    if request.method == "POST":
        if request.POST.get("act") == "revoke":
            _revoke(request, project)
            return redirect("web:tokens", code=project.code)
        typed = {name: request.POST.get(name, "") for name in answer.typed}
        try:
            _token, secret = make_token(
                project=project,
                name=typed["name"],
                role=typed["role"],
                days=number(typed["days"]),
                user=request.user,
            )
        except BadTokenError as error:
            answer = answer_of(error, typed, column=error.field)
        else:
            keep_once(request, kind=f"token {project.code}", secret=secret)
            return redirect("web:tokens", code=project.code)
    page = {
        "project": project,
        "rows": token_rows(project),
        "answer": answer,
        "fresh": is_fresh(request),
        "roles": role_choices(),
        "most": DAYS_MOST,
        "secret": take_once(request, kind=f"token {project.code}"),
    }
    return render(request, "web/tokens.html", page, status=answer.status)


def _revoke(request: MemberRequest, project: Project) -> None:
    try:
        uuid = UUID(request.POST.get("token", ""))
    except ValueError:
        raise Http404 from None
    found = ApiToken.objects.filter(project=project, uuid=uuid).select_related("project").first()
    if found is None:
        raise Http404
    revoke_token(token=found, user=request.user)
    messages.success(request, _("The token is revoked. Nothing signs in with it any more."))
