"""Another e-mail address counts when whoever reads it has opened its link: a new password is sent there."""

from __future__ import annotations

from datetime import timedelta

from django.core import signing
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError

VALID_FOR = timedelta(hours=24)
_SALT = "once_delivery.accounts.email"


class EmailLinkOverError(DomainError):
    """Unknown, expired, used and somebody else's are told alike."""

    code = "email-link-over"
    template = gettext_noop(
        "This link is not valid, or not any more. Change the address in your account again."
    )


def email_claim(*, user: User, email: str) -> str:
    """What the link carries: whose address becomes what, signed; bound to the address that counts until then."""
    return signing.dumps({"user": user.pk, "was": user.email, "wanted": email}, salt=_SALT)


def wanted_email(*, claim: str, user: User) -> str:
    """The address of a claim that is good for ``user`` now. Raises EmailLinkOverError."""
    try:
        said = signing.loads(claim, salt=_SALT, max_age=VALID_FOR)
    except signing.BadSignature:
        raise EmailLinkOverError from None
    if (said["user"], said["was"]) != (user.pk, user.email) or said["wanted"] == user.email:
        raise EmailLinkOverError
    return str(said["wanted"])


def take_email(*, claim: str, user: User) -> str:
    """Afterwards the person is reached there; returns the address. A link works once. Raises EmailLinkOverError."""
    wanted = wanted_email(claim=claim, user=user)
    if not User.objects.filter(pk=user.pk, email=user.email).update(email=wanted):
        raise EmailLinkOverError
    return wanted
