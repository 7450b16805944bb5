"""Images of drafts, through us: nobody's browser speaks to a place that a draft names."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Task
from once_delivery.review.models import Draft
from once_delivery.review.services.fetch_image import fetch_image
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import task_of
from once_delivery.web.selectors.image_claims import claimed_image

P = ParamSpec("P")
_KEPT_S = 3600
NOT_SHOWN = 502


def image_of(task: Task, claim: str, *, this_task_alone: bool = False) -> HttpResponse:
    """The claimed image of a draft of this task, or of other versions of the same content."""
    claimed = claimed_image(claim)
    draft = _draft(task, claimed[0], this_task_alone=this_task_alone) if claimed else None
    if claimed is None or draft is None:
        raise Http404
    try:
        image = fetch_image(draft=draft, address=claimed[1])
    except DomainError:
        return HttpResponse(status=NOT_SHOWN)
    return HttpResponse(image.body, content_type=image.media_type)


def _draft(task: Task, draft_id: int, *, this_task_alone: bool) -> Draft | None:
    found = Draft.objects.filter(
        pk=draft_id,
        action__task__product=task.product_id,
        action__task__locale=task.locale,
        action__task__purpose=task.purpose,
    )
    if this_task_alone:
        found = found.filter(action__task=task)
    return found.select_related("action__target").first()


def kept_by_the_browser(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """An image that was shown once is kept by that person's browser for a while, and by nobody between."""

    @wraps(view)
    def kept(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.status_code == 200:  # noqa: PLR2004
            del response["Expires"]
            response["Cache-Control"] = f"private, max-age={_KEPT_S}"
        return response

    return kept


@kept_by_the_browser
@require_safe
@signed_in
def image(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """An image of a draft, for whoever may see the task."""
    return image_of(task_of(request.user, uuid), request.GET.get("of", ""))
