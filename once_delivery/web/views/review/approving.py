"""The page of a link: one task for one approver without an account, and nothing else of the house."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext_noop
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from once_delivery.common.errors import DomainError
from once_delivery.review.models import ApprovalLink, Reason
from once_delivery.review.services.approval_links import LinkOverError, open_link
from once_delivery.review.services.decide import Decider, DraftChangedError, decide_draft, take_back
from once_delivery.web.selectors.review_task import review_page
from once_delivery.web.views.review.images import image_of, kept_by_the_browser
from once_delivery.web.views.review.typed import TAKE_BACK, VERDICTS, Typed

P = ParamSpec("P")
CONFLICT, WRONG, NOTHING = 409, 422, 404


class NotConfirmedError(DomainError):
    """Nobody is signed in: who decides says so."""

    code = "not-confirmed"
    template = gettext_noop("Confirm that you are the one whom this link is for, and may decide.")


def _by_link(
    view: Callable[Concatenate[HttpRequest, ApprovalLink, str, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """Open the link; unknown, expired and revoked are one answer. No index, no referrer, no cache."""

    @wraps(view)
    @sensitive_variables("secret")
    def opened(request: HttpRequest, /, secret: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            link = open_link(secret=secret)
        except LinkOverError as error:
            response = render(request, "web/review/link_over.html", {"error": error}, status=NOTHING)
        else:
            response = view(request, link, secret, *args, **kwargs)
        # not "no-referrer": browsers then send "Origin: null" with the form, which is refused as another house's
        response["Referrer-Policy"] = "same-origin"
        response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
        add_never_cache_headers(response)
        return response

    return cast(Callable[Concatenate[HttpRequest, str, P], HttpResponse], opened)


@require_http_methods(["GET", "HEAD", "POST"])
@_by_link
def approve(request: HttpRequest, link: ApprovalLink, secret: str) -> HttpResponse:
    """The draft beside its brief, and the decision, which can be changed until the link expires."""
    if request.method != "POST":
        return _page(request, link, secret)
    typed = Typed.of(request.POST)
    try:
        _decide(link, typed)
    except DraftChangedError as error:
        return _page(request, link, secret, typed, error, status=CONFLICT)
    except DomainError as error:
        return _page(request, link, secret, typed, error, status=WRONG)
    return redirect("web:approve", secret=secret)


@kept_by_the_browser
@require_safe
@_by_link
def approve_image(request: HttpRequest, link: ApprovalLink, secret: str) -> HttpResponse:
    """An image of the draft that the link is for."""
    return image_of(link.task, request.GET.get("of", ""), this_task_alone=True)


def _decide(link: ApprovalLink, typed: Typed) -> None:
    decider = Decider(link=link)
    if not typed.confirmed or typed.do not in {*VERDICTS, TAKE_BACK}:
        raise NotConfirmedError
    if typed.do == TAKE_BACK:
        take_back(task=link.task, decider=decider)
        return
    verdict, _onwards = VERDICTS[typed.do]
    decide_draft(
        task=link.task,
        verdict=verdict,
        decider=decider,
        content_hash=typed.content_hash,
        reasons=typed.reasons,
        text=typed.text,
    )


def _page(
    request: HttpRequest,
    link: ApprovalLink,
    secret: str,
    typed: Typed | None = None,
    error: DomainError | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    images = reverse("web:approve-image", args=[secret])
    opened = typed.content_hash if typed and isinstance(error, DraftChangedError) else ""
    found = review_page(
        link.task,
        user=None,
        image_address=lambda claim: f"{images}?of={claim}",
        opened_hash=opened,
        this_task_alone=True,
    )
    page = {
        "link": link,
        "task": link.task,
        "page": found,
        "typed": typed or Typed(),
        "error": error,
        "reasons": Reason.choices,
        "view": "whole" if request.GET.get("show") == "whole" else "",
        "base_query": "?",
        "mine": found.standing is not None and found.standing.link_id == link.pk,
    }
    return render(request, "web/review/approve.html", page, status=status)
