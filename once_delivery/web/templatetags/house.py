"""The menu, and words for the house's codes."""

from __future__ import annotations

from typing import Any

from django import template
from django.http import HttpRequest
from django.template import Context
from django.urls import reverse

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.states import State
from once_delivery.web import wording
from once_delivery.web.places import PLACES, place_of
from reconciliation.models import Case, CaseStatus

register = template.Library()


@register.simple_tag(takes_context=True)
def menu(context: Context) -> dict[str, Any]:
    """The places of the house, where one is, how many cases are open, and as what one is here."""
    request = context.get("request")
    if not isinstance(request, HttpRequest) or not isinstance(request.user, User):
        return {"items": [], "projects": [], "role": ""}
    projects = list(projects_of(request.user).order_by("name"))
    here = place_of(request.path)
    counts = {"cases": Case.objects.filter(project__in=projects, status=CaseStatus.OPEN).count()}
    items = [
        {
            "key": place.key,
            "icon": place.icon,
            "url": reverse(place.address),
            "word": place.word,
            "here": place.key == here,
            "count": counts.get(place.key, 0),
        }
        for place in PLACES
    ]
    return {
        "items": items,
        "projects": projects,
        "role": _role(request.user, context.get("project"), projects),
    }


def _role(user: User, project: object, projects: list[Project]) -> str:
    """The role in the page's project, or in the only one there is."""
    about = project if isinstance(project, Project) else projects[0] if len(projects) == 1 else None
    if about is None:
        return ""
    role = Membership.objects.filter(user=user, project=about).values_list("role", flat=True).first()
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
