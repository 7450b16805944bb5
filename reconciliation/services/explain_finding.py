"""A person writes why a finding is all right: it stays, and asks for nothing any more."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError, InvalidInputError, Problem
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from reconciliation.models import Finding

LONGEST = 2000


class FindingOverError(DomainError):
    """What is not so any more needs no explanation."""

    code = "finding-over"
    template = gettext_noop("This is not so any more; there is nothing to explain.")


class FindingExplainedError(DomainError):
    """The first explanation stands."""

    code = "finding-explained"
    template = gettext_noop("%(user)s has explained this already.")


def explain_finding(*, finding: Finding, user: User, text: str) -> Finding:
    """Afterwards the finding says by whom, when and why. Raises InvalidInputError, FindingOverError, or
    FindingExplainedError when somebody else was first."""
    words = storable(text).strip()
    if not words or len(words) > LONGEST:
        raise InvalidInputError((_problem(),))
    won = Finding.objects.filter(pk=finding.pk, over_at=None, explained_at=None).update(
        explained_by=user, explained_at=database_now(), explanation=words
    )
    now = Finding.objects.select_related("explained_by").get(pk=finding.pk)
    if won:
        return now
    if now.over_at is not None:
        raise FindingOverError
    raise FindingExplainedError(user=now.explained_by.username if now.explained_by else "")


def _problem() -> Problem:
    return Problem(
        code="explanation-missing",
        template=gettext_noop("Say in 1 to %(most)s characters why this is all right."),
        params={"most": LONGEST},
        column="text",
    )
