"""One draft: what the target holds now, beside its brief; and the decision about it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Task
from once_delivery.review.models import Reason, Review
from once_delivery.review.people import may_review
from once_delivery.review.services.comment_on_task import comment_on_task, may_comment
from once_delivery.review.services.decide import (
    Decider,
    DraftChangedError,
    ReasonNeededError,
    decide_draft,
    take_back,
)
from once_delivery.ui.doors import MemberRequest, is_fresh, signed_in
from once_delivery.ui.goals import safe_goal
from once_delivery.ui.one_effect import one_effect
from once_delivery.ui.shown_once import take_once
from once_delivery.ui.templatetags.ui import person
from once_delivery.web.fetch import task_of
from once_delivery.web.page_keys import REVIEW_DRAFT
from once_delivery.web.selectors.review_filters import ReviewFilters
from once_delivery.web.selectors.review_list import neighbours, next_to_decide
from once_delivery.web.selectors.review_task import history_of, links_of, review_page
from once_delivery.web.selectors.taken_back import taken_back
from once_delivery.web.templatetags.people import people_names
from once_delivery.web.views.review.typed import TAKE_BACK, VERDICTS, Typed

CONFLICT, WRONG = 409, 422


def new_link_kind(task: Task) -> str:
    """Under which name the secret of a link that was just made waits for the next page."""
    return f"approval-link {task.uuid}"


def _new_link(request: MemberRequest, task: Task) -> dict[str, Any]:
    """The link that was made a moment ago, with its address; a page that is loaded again makes no second one."""
    link, _, secret = take_once(request, kind=new_link_kind(task)).partition(" ")
    if not secret:
        return {}
    address = request.build_absolute_uri(reverse("web:approve", args=[secret]))
    return {"new_link": task.approval_links.filter(uuid=link).first(), "new_address": address}


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def draft(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Read the draft through the connector and show it; decide about exactly that text."""
    task = task_of(request.user, uuid)
    if request.method != "POST":
        return page_of(request, task, **_new_link(request, task))
    if not may_review(request.user, task.project):
        raise PermissionDenied
    typed = Typed.of(request.POST)
    try:
        return _decide(request, task, typed)
    except ReasonNeededError as error:
        return page_of(request, task, typed=typed, error=error, status=WRONG)
    except DraftChangedError as error:
        return page_of(
            request, task, typed=typed, error=error, opened_hash=typed.content_hash, status=CONFLICT
        )
    except DomainError as error:
        return page_of(request, task, typed=typed, error=error, status=CONFLICT)


@require_POST
@signed_in
@one_effect
def comment(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Say something beside the decisions."""
    task = task_of(request.user, uuid)
    if not may_comment(request.user, task.project):
        raise PermissionDenied
    text = request.POST.get("text", "")
    try:
        comment_on_task(task=task, user=request.user, text=text)
    except DomainError as error:
        return page_of(request, task, comment=text, comment_error=error, status=WRONG)
    return redirect(f"{_address(task, ReviewFilters.of(request.GET.dict()))}#history")


def page_of(
    request: MemberRequest, task: Task, *, opened_hash: str = "", status: int = 200, **more: object
) -> HttpResponse:
    """The page; ``more`` is what a form brought along."""
    filters = ReviewFilters.of(request.GET.dict())
    before, after = neighbours(request.user, filters, task)
    images = reverse("web:review-image", args=[task.uuid])
    allowed = may_review(request.user, task.project)
    page = {
        "task": task,
        "project": task.project,
        "filters": filters,
        "page": review_page(
            task,
            user=request.user,
            image_address=lambda claim: f"{images}?of={claim}",
            opened_hash=opened_hash,
        ),
        "history": history_of(task, person),
        "links": links_of(task) if allowed else [],
        "before": before,
        "after": after,
        "may_review": allowed,
        "back": taken_back(task, request.user),
        "may_comment": may_comment(request.user, task.project),
        "fresh": is_fresh(request),
        "reasons": Reason.choices,
        "typed": Typed(),
        "view": "whole" if request.GET.get("show") == "whole" else "",
        "base_query": filters.query() or "?",
        "keys": REVIEW_DRAFT,
        "just": _just(request, task),
        **more,
    }
    return render(request, "web/review/draft.html", page, status=status)


def _decide(request: MemberRequest, task: Task, typed: Typed) -> HttpResponse:
    filters = ReviewFilters.of(request.GET.dict())
    decider = Decider(user=request.user)
    if typed.do == TAKE_BACK:
        review = take_back(task=task, decider=decider)
        messages.success(request, _("Taken back. No decision about %(task)s stands.") % {"task": task})
        _say_who_is_asked(request, review)
        return redirect(safe_goal(request, otherwise=_address(task, filters)))
    if typed.do not in VERDICTS:
        return page_of(request, task, typed=typed, status=WRONG)
    verdict, onwards = VERDICTS[typed.do]
    review = decide_draft(
        task=task,
        verdict=verdict,
        decider=decider,
        content_hash=typed.content_hash,
        reasons=typed.reasons,
        text=typed.text,
    )
    _say_who_is_asked(request, review)
    following = next_to_decide(request.user, filters, task) if onwards else None
    if onwards and following is None:
        messages.success(request, _("That was the last one that waits here."))
        return redirect(f"{reverse('web:review')}{filters.query()}")
    goal = reverse("web:review-task", args=[following]) if following else _address(task, filters, bare=True)
    join = "&" if filters.query() else "?"
    return redirect(f"{goal}{filters.query()}{join}just={task.uuid}")


def _say_who_is_asked(request: MemberRequest, review: Review) -> None:
    """Where ``review`` took an acceptance back that only the client can end: that it counts on, and who can answer."""
    back = taken_back(review.task, request.user)
    if back is None or not back.asked or back.revocation.review_id != review.pk:
        return
    panel = f"{reverse('web:review-task', args=[review.task.uuid])}#taken-back"
    if back.people:
        said = _("%(task)s was accepted, and counts on until the client agrees. %(people)s can answer.")
        told = format_html(
            '{} <a href="{}">{}</a>',
            said % {"task": review.task, "people": people_names(back.people)},
            panel,
            _("The question"),
        )
        messages.info(request, told)
        return
    said = _("%(task)s was accepted, and counts on: nobody in this project can answer for the client.")
    told = format_html('{} <a href="{}">{}</a>', said % {"task": review.task}, panel, _("What to do"))
    messages.warning(request, told)


def _just(request: MemberRequest, task: Task) -> Task | None:
    """The draft that was decided about a moment ago: its undo stands on the page that followed."""
    try:
        wanted = UUID(request.GET.get("just", ""))
    except ValueError:
        return None
    return task if wanted == task.uuid else task_of(request.user, wanted)


def _address(task: Task, filters: ReviewFilters, *, bare: bool = False) -> str:
    return reverse("web:review-task", args=[task.uuid]) + ("" if bare else filters.query())
