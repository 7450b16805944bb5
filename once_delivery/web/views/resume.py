"""Resuming a batch: first the plan and its consequence in numbers, then the button."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from once_delivery.ledger import tasks
from once_delivery.ledger.models import Batch
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.ui.waking import wake
from once_delivery.web.fetch import batch_of
from once_delivery.web.permits import may_resume
from once_delivery.web.selectors.plan import plan_of

CHANGED = 409


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def resume(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Show the plan; carry it out when it is still the one that was seen."""
    batch = batch_of(request.user, uuid)
    allowed = may_resume(request.user, batch.project)
    if request.method == "POST" and not allowed:
        raise PermissionDenied
    plan = plan_of(batch)
    changed = request.method == "POST" and request.POST.get("plan") != plan.digest
    if request.method == "POST" and not changed:
        _ask(request, batch)
        return redirect("web:batch", uuid=batch.uuid)
    page = {
        "batch": batch,
        "project": batch.project,
        "plan": plan,
        "changed": changed,
        "may_resume": allowed,
    }
    return render(request, "web/resume.html", page, status=CHANGED if changed else 200)


def _ask(request: MemberRequest, batch: Batch) -> None:
    if wake(request, tasks.resume_batch, batch.pk, request.user.pk):
        messages.success(
            request,
            _("The resume is asked for. Its run appears on this page as soon as a worker has taken it."),
        )
