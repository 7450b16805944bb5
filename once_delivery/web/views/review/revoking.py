"""Whether an acceptance that was taken back still counts: the client's answer."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from once_delivery.common.errors import DomainError
from once_delivery.review.models import RevocationStatus
from once_delivery.review.revocations import revocation_of
from once_delivery.review.services.revoke import answer_revocation, approvers_of
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import task_of
from once_delivery.web.views.review.deciding import CONFLICT, WRONG, page_of


@require_POST
@signed_in
def answer(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """It counts no more, or it counts on. The same answer of the same person again is not asked for again."""
    task = task_of(request.user, uuid)
    found = revocation_of(task)
    if found is None:
        raise Http404
    if request.user not in approvers_of(found):
        raise PermissionDenied
    words = request.POST.get("words", "")
    if request.POST.get("agree") not in {"yes", "no"}:
        return page_of(request, task, revocation_words=words, status=WRONG)
    agree = request.POST.get("agree") == "yes"
    given = RevocationStatus.GIVEN if agree else RevocationStatus.DENIED
    if (found.status, found.answered_by_id) != (given, request.user.pk):
        try:
            answer_revocation(revocation=found, user=request.user, agree=agree, words=words)
        except DomainError as error:
            return page_of(request, task, error=error, revocation_words=words, status=CONFLICT)
    said = _("Agreed: it counts no more.") if agree else _("It counts on.")
    messages.success(request, said)
    return redirect(f"{reverse('web:review-task', args=[task.uuid])}#taken-back")
