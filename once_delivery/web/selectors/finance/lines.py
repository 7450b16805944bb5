"""A supplier's line that waits: what it says, which attempts it may be for, and what was proposed."""

from __future__ import annotations

from dataclasses import dataclass

from django.shortcuts import get_object_or_404

from billing.models import LineMatch, LineProposal
from billing.selectors.queue import Candidate, candidates_of
from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.common.digits import whole_number
from once_delivery.ledger.models import Attempt


@dataclass(frozen=True, slots=True)
class LineNow:
    """Everything about one line."""

    match: LineMatch
    fits: tuple[Candidate, ...]
    proposal: LineProposal | None
    keepers: tuple[User, ...]


def line_now(project: Project, pk: int) -> LineNow:
    """One line of this project, or 404."""
    found = get_object_or_404(
        LineMatch.objects.select_related(
            "line__document__supplier", "line__credits_line", "owner", "answered_by", "attempt"
        ).defer("line__document__raw"),
        project=project,
        pk=pk,
    )
    proposal = LineProposal.objects.filter(match=found).select_related("proposed_by", "attempt").first()
    members = Membership.objects.filter(project=project, role__in=(Role.FINANCE, Role.ADMIN))
    return LineNow(
        match=found,
        fits=tuple(candidates_of(found)),
        proposal=proposal,
        keepers=tuple(one.user for one in members.select_related("user").order_by("user__username")),
    )


def attempt_by(project: Project, text: str) -> Attempt | None:
    """The attempt that a form names, of this project; None for none."""
    pk = whole_number(text)
    return None if pk is None else Attempt.objects.filter(project=project, pk=pk).first()


def keeper_by(now: LineNow, name: str) -> User | None:
    """Who keeps these books, by the name that a form says."""
    return next((one for one in now.keepers if one.username == name), None)
