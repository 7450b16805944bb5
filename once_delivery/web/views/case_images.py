"""Images that were found at a target for a case, through us: nobody's browser speaks to a place that a target names."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from once_delivery.common.errors import DomainError
from once_delivery.review.services.fetch_image import image_at
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import case_of
from once_delivery.web.selectors.image_claims import claimed_candidate
from once_delivery.web.views.review.images import NOT_SHOWN, kept_by_the_browser


@kept_by_the_browser
@require_safe
@signed_in
def image(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """An image of a candidate that stood on the case's page."""
    case = case_of(request.user, uuid)
    claimed = claimed_candidate(request.GET.get("of", ""))
    if claimed is None or claimed[0] != case.pk:
        raise Http404
    try:
        found = image_at(claimed[1], target=case.action.target)
    except DomainError:
        return HttpResponse(status=NOT_SHOWN)
    return HttpResponse(found.body, content_type=found.media_type)
