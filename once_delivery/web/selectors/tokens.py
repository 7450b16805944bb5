"""Invitations and tokens as an admin sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.utils import timezone

from once_delivery.accounts.models import ApiToken, Invitation, Project, Role

SHOWN = 100
Row = TypeVar("Row", Invitation, ApiToken)


@dataclass(frozen=True, slots=True)
class Listed(Generic[Row]):
    """``state``: "open", "accepted", "revoked" or "over"."""

    it: Row
    role: str
    state: str

    @property
    def is_open(self) -> bool:
        return self.state == "open"


def invitation_rows(project: Project) -> list[Listed[Invitation]]:
    """The open ones first, then the latest."""
    found = Invitation.objects.filter(project=project).select_related("invited_by", "accepted_by")
    return _open_first([Listed(one, _role(one.role), _state(one)) for one in found.order_by("-pk")[:SHOWN]])


def token_rows(project: Project) -> list[Listed[ApiToken]]:
    """Those that open the door first, then the latest."""
    found = ApiToken.objects.filter(project=project).select_related("created_by")
    return _open_first([Listed(one, _role(one.role), _state(one)) for one in found.order_by("-pk")[:SHOWN]])


def _open_first(rows: Sequence[Listed[Row]]) -> list[Listed[Row]]:
    return sorted(rows, key=lambda row: not row.is_open)


def _role(role: str) -> str:
    return str(Role(role).label)


def _state(one: Invitation | ApiToken) -> str:
    if isinstance(one, Invitation) and one.accepted_at is not None:
        return "accepted"
    if one.revoked_at is not None:
        return "revoked"
    return "open" if one.expires_at > timezone.now() else "over"
