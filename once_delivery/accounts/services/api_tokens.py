"""Tokens that programs sign in with."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_noop

from once_delivery.accounts.access import must_be_admin
from once_delivery.accounts.models import ApiToken, Project, Role, User
from once_delivery.accounts.secret_links import hash_of, new_secret
from once_delivery.common.errors import DomainError
from once_delivery.common.sheets.characters import bad_character, shown
from once_delivery.common.sheets.strict_json import BAD_CHARACTER

PREFIX = "once_"
DAYS_MOST = 366
_SHOWN = 10
_SEEN_EVERY = timedelta(minutes=1)


class BadTokenError(DomainError):
    """A token needs a name, a role and an end. ``field``: which of them is wrong."""

    code = "bad-token"
    field = "name"
    template = gettext_noop("A token needs a name.")


class TokenNameError(BadTokenError):
    """A name that nobody could read, or PostgreSQL not keep."""

    template = BAD_CHARACTER


class TokenRoleError(BadTokenError):
    """Not a role: no form offers it."""

    template = gettext_noop("“%(role)s” is no role.")


class TokenDaysError(BadTokenError):
    """Valid for ever, or never."""

    field = "days"
    template = gettext_noop("A token is valid for 1 to %(most)s days.")


def make_token(*, project: Project, name: str, role: str, days: int, user: User) -> tuple[ApiToken, str]:
    """A token and its secret, which is shown once and not kept. Raises NotAdminError, BadTokenError."""
    must_be_admin(user, project)
    called = name.strip()[:100]
    if not called:
        raise BadTokenError
    wrong = bad_character(called)
    if wrong is not None:
        raise TokenNameError(character=shown(wrong))
    if role not in Role.values:
        raise TokenRoleError(role=role[:20])
    if not 1 <= days <= DAYS_MOST:
        raise TokenDaysError(most=DAYS_MOST)
    secret = new_secret(PREFIX)
    token = ApiToken.objects.create(
        project=project,
        name=called,
        role=role,
        beginning=secret[:_SHOWN],
        secret_hash=hash_of(secret),
        created_by=user,
        expires_at=timezone.now() + timedelta(days=days),
    )
    return token, secret


def token_of(secret: str) -> ApiToken | None:
    """The token of ``secret`` while it is valid; notes that it was used, once a minute."""
    now = timezone.now()
    valid = ApiToken.objects.filter(
        secret_hash=hash_of(secret), revoked_at__isnull=True, expires_at__gt=now
    ).select_related("project")
    # every call asks: no more than calls need
    asked = valid.only("name", "role", "beginning", "last_used_at", "project__uuid")
    found = next(iter(asked[:1]), None)
    if found is not None and (found.last_used_at is None or found.last_used_at < now - _SEEN_EVERY):
        ApiToken.objects.filter(pk=found.pk).update(last_used_at=now)
    return found


def revoke_token(*, token: ApiToken, user: User) -> None:
    """Afterwards nothing signs in with it. Raises NotAdminError."""
    must_be_admin(user, token.project)
    ApiToken.objects.filter(pk=token.pk, revoked_at__isnull=True).update(revoked_at=timezone.now())
