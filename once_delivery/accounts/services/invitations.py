"""Invitations: made by an admin, accepted by whoever has the link, revoked."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from once_delivery.accounts.access import must_be_admin
from once_delivery.accounts.models import Invitation, Membership, Project, Role, User
from once_delivery.accounts.secret_links import hash_of, new_secret
from once_delivery.common.errors import DomainError, InvalidInputError, Problem

DAYS = 7


class BadInvitationError(DomainError):
    """An invitation needs an address and a role."""

    code = "bad-invitation"
    template = gettext_noop("“%(email)s” is no e-mail address.")


class InvitationRoleError(BadInvitationError):
    """Not a role."""

    template = gettext_noop("“%(role)s” is no role.")


class InvitationOverError(DomainError):
    """There is none with this secret, and nothing is told to who guesses."""

    code = "invitation-over"
    template = gettext_noop("This invitation is not valid, or not any more. Ask for a new one.")


class InvitationUsedError(InvitationOverError):
    """Told, as the next two are, to who has the whole secret: they had the invitation."""

    code = "invitation-used"
    template = gettext_noop(
        "This invitation was accepted already, and each holds once. If it was you, sign in; else ask for a new one."
    )


class InvitationExpiredError(InvitationOverError):
    """Its days are over."""

    code = "invitation-expired"
    template = gettext_noop(
        "This invitation was valid for %(days)s days, and they are over. Ask who invited you for a new one."
    )


class InvitationRevokedError(InvitationOverError):
    """Taken back, or another one for the same address took its place."""

    code = "invitation-revoked"
    template = gettext_noop(
        "This invitation was taken back, or a newer one took its place: look for a later e-mail, or ask who invited you."
    )


class AlreadyMemberError(DomainError):
    """Once is enough."""

    code = "already-member"
    template = gettext_noop("“%(user)s” is a member of this project already.")


def invite(*, project: Project, email: str, role: str, user: User) -> tuple[Invitation, str]:
    """An invitation and its secret, which is not kept; an open one for the same address is revoked.

    Raises NotAdminError, BadInvitationError.
    """
    must_be_admin(user, project)
    address = email.strip().lower()
    try:
        validate_email(address)
    except ValidationError:
        raise BadInvitationError(email=email[:100]) from None
    if role not in Role.values:
        raise InvitationRoleError(role=role[:20])
    secret = new_secret()
    with transaction.atomic():
        _open_ones(project).filter(email=address).update(revoked_at=timezone.now())
        invitation = Invitation.objects.create(
            project=project,
            email=address,
            role=role,
            secret_hash=hash_of(secret),
            invited_by=user,
            expires_at=timezone.now() + timedelta(days=DAYS),
        )
    return invitation, secret


def open_invitation(*, secret: str) -> Invitation:
    """The invitation of ``secret``. Raises InvitationOverError, or the one of its kinds that says why."""
    found = Invitation.objects.filter(secret_hash=hash_of(secret)).select_related("project").first()
    if found is None:
        raise InvitationOverError
    if found.accepted_at is not None:
        raise InvitationUsedError
    if found.revoked_at is not None:
        raise InvitationRevokedError
    if found.expires_at <= timezone.now():
        raise InvitationExpiredError(days=DAYS)
    return found


def accept_as(*, secret: str, user: User) -> Membership:
    """Afterwards ``user`` is a member. Raises InvitationOverError, AlreadyMemberError."""
    with transaction.atomic():
        invitation = open_invitation(secret=secret)
        locked = Invitation.objects.select_for_update().get(pk=invitation.pk)
        if locked.accepted_at is not None:
            raise InvitationUsedError
        membership, made = Membership.objects.get_or_create(
            project=invitation.project, user=user, defaults={"role": invitation.role}
        )
        if not made:
            raise AlreadyMemberError(user=user.username)
        locked.accepted_by, locked.accepted_at = user, timezone.now()
        locked.save(update_fields=["accepted_by", "accepted_at"])
    return membership


def accept_as_new(*, secret: str, username: str, password: str) -> User:
    """Afterwards there is an account with this name, and it is a member.

    Raises InvitationOverError, InvalidInputError (name taken or not a name; password too weak).
    """
    with transaction.atomic():
        invitation = open_invitation(secret=secret)
        user = User(username=username.strip(), email=invitation.email)
        problems = [*_name_problems(user), *_password_problems(password, user)]
        if problems:
            raise InvalidInputError(tuple(problems))
        user.set_password(password)
        user.save()
        accept_as(secret=secret, user=user)
    return user


def revoke_invitation(*, invitation: Invitation, user: User) -> None:
    """Afterwards its link opens nothing. Raises NotAdminError."""
    must_be_admin(user, invitation.project)
    _open_ones(invitation.project).filter(pk=invitation.pk).update(revoked_at=timezone.now())


def _open_ones(project: Project) -> QuerySet[Invitation]:
    return Invitation.objects.filter(project=project, accepted_at__isnull=True, revoked_at__isnull=True)


def _name_problems(user: User) -> list[Problem]:
    try:
        user.clean_fields(exclude=["password"])
        user.validate_unique()
    except ValidationError as error:
        return [
            Problem(code="bad-username", template=str(said), column="username")
            for said in error.message_dict.get("username", error.messages)
        ]
    return []


def _password_problems(password: str, user: User) -> list[Problem]:
    try:
        validate_password(password, user)
    except ValidationError as error:
        return [Problem(code="weak-password", template=said, column="password") for said in error.messages]
    return []
