"""What somebody of finance proposed and a second one must agree to, as it waits for a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from billing.models import DuplicateProposal, EntryProposal, LineProposal
from billing.models.proposals import Proposal
from billing.people import KEEPERS
from once_delivery.accounts.models import Project, User


@dataclass(frozen=True, slots=True)
class Agreement:
    """One proposal: what it is about, where one agrees to it, who made it and when."""

    what: str | Promise
    url: str
    project: Project
    by: User
    at: datetime


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of proposal, and how the page is found where one agrees to it."""

    model: type[Proposal]
    what: Promise
    address: str
    pk_of_page: str


_KINDS = (
    _Kind(LineProposal, _("the answer to a supplier's line"), "web:finance-line", "match__line"),
    _Kind(EntryProposal, _("the change of an entry"), "web:finance-entry", "entry"),
    _Kind(DuplicateProposal, _("whether two assets are one"), "web:finance-duplicate", "duplicate"),
)


def count_agreements(user: User, roles: Mapping[int, str], *, most: int) -> int:
    """How many wait for ``user``, counted no further than ``most``. ``roles``: theirs, by project ID."""
    kept = _kept(roles)
    first, *more = (_waiting(user, kind, kept).order_by().values("pk") for kind in _KINDS)
    return first.union(*more, all=True)[:most].count()


def agreements_of(user: User, roles: Mapping[int, str], *, most: int) -> list[Agreement]:
    """The oldest of those that wait for ``user``."""
    kept = _kept(roles)
    found = [
        Agreement(
            what=kind.what,
            url=reverse(kind.address, args=[one.project.code, one.page]),
            project=one.project,
            by=one.proposed_by,
            at=one.proposed_at,
        )
        for kind in _KINDS
        for one in _waiting(user, kind, kept)
        .annotate(page=F(kind.pk_of_page))
        .select_related("project", "proposed_by")
        .order_by("proposed_at")[:most]
    ]
    return sorted(found, key=lambda one: one.at)[:most]


def _kept(roles: Mapping[int, str]) -> list[int]:
    """The projects whose books one keeps."""
    return [project_id for project_id, role in roles.items() if role in KEEPERS]


def _waiting(user: User, kind: _Kind, kept: list[int]) -> QuerySet[Any]:
    """Nobody agrees to what they proposed themselves, or to what has fallen away."""
    stands = Q(dropped="") if kind.model is DuplicateProposal else Q()
    rows = kind.model._default_manager.filter(stands, project__in=kept)  # noqa: SLF001 - any of the kinds
    return rows.exclude(proposed_by=user)
