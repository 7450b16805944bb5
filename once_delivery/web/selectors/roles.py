"""What each role may do, in words: said before somebody gets it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Role

ROLE_WORDS: dict[str, Promise] = {
    Role.VIEWER: _("reads everything of the project, and changes nothing"),
    Role.MARKETING_LEAD: _("reviews drafts: accepts them, asks for changes, rejects them"),
    Role.OPS_OWNER: _("resumes batches, and decides cases on evidence"),
    Role.FINANCE: _("imports costs, and reads and exports the reports"),
    Role.CLIENT_APPROVER: _("reviews drafts for the client, and approves what needs its approval"),
    Role.ADMIN: _("names members, tokens, routes and settings; resumes, decides and reviews, too"),
}


@dataclass(frozen=True, slots=True)
class RoleChoice:
    """A role as a form offers it."""

    value: str
    label: str
    words: str


def role_choices() -> list[RoleChoice]:
    """Every role, the one that may least first."""
    return [RoleChoice(str(role), str(role.label), role_words(role)) for role in Role]


def role_words(role: str) -> str:
    """What this role may do."""
    return str(ROLE_WORDS[Role(role)])
