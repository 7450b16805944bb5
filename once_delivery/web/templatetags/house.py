"""The menu, and words for the house's codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template import Context
from django.urls import reverse
from django.utils import timezone

from billing.people import KEEPERS
from once_delivery.accounts.clients import answering
from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.states import State
from once_delivery.review.people import REVIEWERS
from once_delivery.review.waiting import waiting_for_review
from once_delivery.web import wording
from once_delivery.web.places import PLACES, place_of
from once_delivery.web.selectors.agreements import count_agreements
from once_delivery.web.selectors.asked import asked_of
from once_delivery.web.selectors.home import Home
from reconciliation.models import Case, CaseStatus, FindingKind

register = template.Library()
COUNTED = 99  # a menu says no more than that there are many


@register.simple_tag(takes_context=True)
def menu(context: Context) -> dict[str, Any]:
    """The places of the house, where one is, how many cases are open, and as what one is here."""
    request = context.get("request")
    if not isinstance(request, HttpRequest) or not isinstance(request.user, User):
        return {"items": [], "projects": [], "role": ""}
    mine = Membership.objects.filter(user=request.user, user__is_active=True).select_related("project")
    roles = {one.project: one.role for one in mine.order_by("project__name")}
    by_id = {project.pk: role for project, role in roles.items()}
    projects = list(roles)
    here = place_of(request.path)
    counts = _counts(request.user, projects, by_id, context.get("home"))
    asked = {
        "approvals": bool(counts["approvals"]) or Role.CLIENT_APPROVER in roles.values(),
        "finance": "finance" in counts,
    }
    items = [
        {
            "key": place.key,
            "icon": place.icon,
            "url": reverse(place.address),
            "word": place.word,
            "here": place.key == here,
            "count": min(counts.get(place.key, 0), COUNTED),
            "more": counts.get(place.key, 0) > COUNTED,
        }
        for place in PLACES
        if not place.if_asked or asked[place.key]
    ]
    return {
        "items": items,
        "projects": projects,
        "role": _role(context.get("project"), roles),
        "in_account": request.path.startswith("/account/"),
    }


def _counts(user: User, projects: list[Project], roles: Mapping[int, str], home: object) -> dict[str, int]:
    """What waits at each place. ``home``: the page of what waits, where it is shown: it has counted some already."""
    duties = home.duties if isinstance(home, Home) else None
    counts = {
        "cases": _open_cases(projects),
        "approvals": duties.asked if duties else asked_of(user, answering(user, roles), most=COUNTED + 1),
    }
    if not KEEPERS.isdisjoint(roles.values()):
        counts["finance"] = duties.to_agree if duties else count_agreements(user, roles, most=COUNTED + 1)
    reviewed = [project_id for project_id, role in roles.items() if role in REVIEWERS]
    if reviewed:
        counts["review"] = waiting_for_review(reviewed, most=COUNTED + 1).count
    return counts


def _open_cases(projects: list[Project]) -> int:
    """What is in the queue now: without what was put off."""
    still_open = Case.objects.filter(project__in=projects, status=CaseStatus.OPEN)
    return _some(still_open.exclude(snoozed_until__gt=timezone.now()))


def _some(found: QuerySet[Any]) -> int:
    """How many, counted no further than a menu says."""
    return found.order_by().values("pk")[: COUNTED + 1].count()


def _role(project: object, roles: dict[Project, str]) -> str:
    """The role in the page's project, or in the only one there is."""
    if isinstance(project, Project):
        role = roles.get(project)
    else:
        role = next(iter(roles.values())) if len(roles) == 1 else None
    return str(Role(role).label) if role else ""


@register.filter
def state_word(state: str) -> str:
    """The word of a state."""
    return str(State(state).label) if state in State.values else state


@register.filter
def kind_word(kind: str) -> str:
    """The word of a kind of action."""
    return wording.kind_word(kind)


@register.filter
def reason_words(code: str) -> str:
    """The sentence of a reason."""
    return sentence(code)


@register.filter
def presence_words(presence: str) -> str:
    """How a confirmed object stands at the target."""
    return str(wording.PRESENCES.get(presence, presence))


@register.filter
def finding_word(kind: str) -> str:
    """The word of a kind of finding."""
    return str(FindingKind(kind).label) if kind in FindingKind.values else kind
