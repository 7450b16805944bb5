"""Links for approvers without an account: made, shown once, revoked."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from once_delivery.common.digits import whole_number
from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Task
from once_delivery.review.models import ApprovalLink
from once_delivery.review.people import may_review
from once_delivery.review.services.approval_links import make_link, revoke_link
from once_delivery.ui.doors import MemberRequest, ask_to_confirm, is_fresh, signed_in
from once_delivery.ui.one_effect import one_effect
from once_delivery.ui.shown_once import keep_once
from once_delivery.web.fetch import task_of
from once_delivery.web.views.review.deciding import WRONG, new_link_kind, page_of


@require_POST
@signed_in
@one_effect
def links(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Make a link. It opens a draft to whoever has it: the person shows first who they are.

    Its address is shown on the next page and nowhere else.
    """
    task = _task(request, uuid)
    if not is_fresh(request):
        return ask_to_confirm(request, goal=reverse("web:review-task", args=[task.uuid]))
    name, days = request.POST.get("approver", ""), request.POST.get("days", "")
    try:
        link, secret = make_link(
            task=task,
            approver=name,
            days=whole_number(days, most=999) or 0,
            user=request.user,
        )
    except DomainError as error:
        return page_of(request, task, link_error=error, link_name=name, link_days=days, status=WRONG)
    keep_once(request, kind=new_link_kind(task), secret=f"{link.uuid} {secret}")
    return redirect(f"{reverse('web:review-task', args=[task.uuid])}#links")


@require_POST
@signed_in
def revoke(request: MemberRequest, uuid: UUID, link: UUID) -> HttpResponse:
    """Afterwards the link opens nothing."""
    task = _task(request, uuid)
    found = ApprovalLink.objects.filter(task=task, uuid=link).select_related("project").first()
    if found is None:
        raise Http404
    revoke_link(link=found, user=request.user)
    messages.success(request, _("The link of %(name)s opens nothing any more.") % {"name": found.approver})
    return redirect(f"{reverse('web:review-task', args=[task.uuid])}#links")


def _task(request: MemberRequest, uuid: UUID) -> Task:
    task = task_of(request.user, uuid)
    if not may_review(request.user, task.project):
        raise PermissionDenied
    return task
