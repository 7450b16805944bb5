"""An invitation, and its link to whom it is for."""

from __future__ import annotations

from django.db import transaction

from once_delivery.accounts.models import Invitation, Project, Role, User
from once_delivery.accounts.services.invitations import DAYS, invite
from once_delivery.notices.models import Event
from once_delivery.notices.services.announce import announce


def path_of(secret: str) -> str:
    """Where the link leads, in this house."""
    return f"/invitation/{secret}/"


def invite_by_mail(
    *, project: Project, email: str, role: str, language: str, user: User
) -> tuple[Invitation, str]:
    """The invitation and its secret; the link waits in the outbox. The project's routes are told without the link.

    Raises NotAdminError, BadInvitationError.
    """
    with transaction.atomic():
        invitation, secret = invite(project=project, email=email, role=role, user=user)
        announce(
            project=project,
            event=Event.INVITED,
            data={
                "by": user.get_full_name() or user.username,
                "email": invitation.email,
                "role": Role(invitation.role).label,
                "days": DAYS,
            },
            addresses=[(invitation.email, language)],
            private={"path": path_of(secret)},
        )
    return invitation, secret
