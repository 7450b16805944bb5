"""Ask for a report as a file; a worker makes it."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.exports.files import Format
from billing.exports.place import KEPT
from billing.exports.rights import must_export
from billing.exports.trail import note
from billing.models import UNDER_WAY, Export, ExportEventKind, Profile
from billing.reports.registry import report_of
from billing.reports.scope import ReportScope
from billing.reports.totals import books_of
from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now

OPEN_AT_ONCE = 5  # of one person in one project


class UnknownFormatError(DomainError):
    """Not a kind of file, or not a profile."""

    code = "unknown-format"
    template = gettext_noop("“%(format)s” is no form of a report.")


class NotForClientsError(DomainError):
    """Reports about suppliers, cases and quotes have no form for the client."""

    code = "not-for-clients"
    template = gettext_noop("This report is not given to clients.")


class TooManyExportsError(DomainError):
    """One person keeps the workers from everybody else no longer than so many files take."""

    code = "too-many-exports"
    template = gettext_noop("%(count)s of your exports are being made; wait until one is done.")


def ask_export(
    *,
    user: User,
    scope: ReportScope,
    report: str,
    format: str,  # noqa: A002 - the word of the model
    profile: str = Profile.INTERNAL,
) -> Export:
    """The export, waiting; the caller wakes a worker once it is committed.

    Raises UnknownReportError, UnknownFormatError, NoExportRightError, NotForClientsError, NoBooksError,
    TooManyExportsError.
    """
    found = report_of(report)
    if format not in list(Format) or profile not in Profile.values:
        raise UnknownFormatError(format=format if format not in list(Format) else profile)
    must_export(user, scope.project, profile)
    if profile == Profile.CLIENT:
        if not found.for_client:
            raise NotForClientsError
        scope = scope.of_client()
    books_of(scope)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        count = Export.objects.filter(user=user, project=scope.project, status__in=UNDER_WAY).count()
        if count >= OPEN_AT_ONCE:
            raise TooManyExportsError(count=count)
        export = Export.objects.create(
            project=scope.project,
            user=user,
            report=found.code,
            format=format,
            profile=profile,
            filters=scope.filters(),
            expires_at=database_now() + KEPT,
        )
        note(export, ExportEventKind.ASKED, user)
    return export
