"""For how long a project keeps content. What a rule would empty is said in numbers before it is saved."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from once_delivery.accounts.models import Project
from once_delivery.common.errors import InvalidInputError
from once_delivery.retention.amounts import amounts_of
from once_delivery.retention.models import LEAST_DAYS, ForgettingRule
from once_delivery.retention.rules import rule_of
from once_delivery.retention.services.set_rule import days_of, set_rule
from once_delivery.retention.wording import said
from once_delivery.ui.doors import MemberRequest, is_fresh
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.project_door import for_admins

EARLIER = 20


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins
def forgetting(request: MemberRequest, project: Project) -> HttpResponse:
    """First what it would do; then, when it was said once more, it is saved."""
    if request.method != "POST":
        rule = rule_of(project)
        days = str(rule.after_days or "") if rule else ""
        return _page(request, project, Answer({"days": days}))
    typed = {"days": request.POST.get("days", "").strip()}
    try:
        after_days = days_of(typed["days"])
    except InvalidInputError as error:
        return _page(request, project, answer_of(error, typed))
    if not request.POST.get("sure"):
        return _page(request, project, Answer(typed), after_days=after_days, asked=True)
    set_rule(project=project, after_days=after_days, user=request.user)
    messages.success(request, _("Saved."))
    return redirect("web:forgetting", code=project.code)


def _page(
    request: MemberRequest,
    project: Project,
    answer: Answer,
    *,
    after_days: int | None = None,
    asked: bool = False,
) -> HttpResponse:
    plan = amounts_of(project=project, after_days=after_days) if after_days else None
    rules = list(
        ForgettingRule.objects.filter(project=project).select_related("set_by").order_by("-pk")[: EARLIER + 1]
    )
    page = {
        "project": project,
        "answer": answer,
        "fresh": is_fresh(request),
        "rule": rules[0] if rules else None,
        "earlier": rules[1:],
        "least": LEAST_DAYS,
        "asked": asked,
        "plan": plan,
        "lines": said(plan) if plan else [],
    }
    return render(request, "web/forgetting.html", page, status=answer.status)
