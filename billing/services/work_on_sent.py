"""Long files that were sent: a worker tries and imports them, and whoever sent them sees how far it is."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.models.functions import Coalesce, Now
from django.utils.translation import gettext_noop

from billing.models import SENT_UNDER_WAY, SentDocument, SentStatus, SentWork
from billing.people import must_keep_books
from billing.services.make_export import GIVEN_UP_AFTER
from billing.services.send_document import import_sent, try_sent
from billing.suppliers.outcome import data_of, data_of_problems, problems_in
from billing.suppliers.progress import Progress
from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.common.work_lock import Work, at_work
from once_delivery.ledger.clock import database_now

logger = logging.getLogger(__name__)

LONG = 150_000  # bytes that take more than a second: some 2,500 lines of a CSV
_PROGRESS = (
    "UPDATE billing_sentdocument SET steps = %s, steps_total = %s WHERE id = %s AND status = 'running'"
)


class GaveUpError(DomainError):
    """A file that ends its worker each time is not tried for ever. That it waited for a worker is not held against it."""

    code = "gave-up"
    template = gettext_noop("It took too long, and was given up. Nothing of it is kept.")


class WorkFailedError(DomainError):
    """What nobody foresaw; the log says more."""

    code = "import-failed"
    template = gettext_noop("It failed for a reason that is in the log. Nothing of it is kept.")


def is_long(sent: SentDocument) -> bool:
    """Whether a worker reads it, while the page shows how far it is."""
    return len(sent.data) > LONG


def ask_work(*, sent: SentDocument, user: User, work: SentWork) -> bool:
    """Afterwards a worker is to do ``work``; False while one is at it, or when it is imported: a second click asks nothing.

    The caller wakes a worker. Raises NotFinanceError.
    """
    must_keep_books(user, sent.project)
    free = SentDocument.objects.filter(pk=sent.pk, status=SentStatus.IDLE, document=None)
    asked = {"work": work, "status": SentStatus.WAITING, "asked_at": database_now(), "began_at": None}
    return bool(free.update(**asked, steps=0, steps_total=0, told=None))


def do_work(*, sent_id: int) -> None:
    """Afterwards the file is tried or imported, or says what stood in the way. Nothing when somebody else is at it.

    What a killed worker left is begun anew: of an import nothing was kept, or all of it.
    """
    with at_work(Work.SENT, sent_id) as mine:
        waiting = SentDocument.objects.filter(pk=sent_id, status__in=SENT_UNDER_WAY)
        began = Coalesce("began_at", Now())
        if not mine or not waiting.update(status=SentStatus.RUNNING, began_at=began):
            return
        sent = SentDocument.objects.select_related("project", "supplier", "sent_by").get(pk=sent_id)
        try:
            _do(sent)
        except DomainError as error:
            _done(sent, data_of_problems(problems_in(error)))
        except Exception:  # whoever asked must not wait for ever
            logger.exception("a sent document failed", extra={"sent": sent_id})
            _done(sent, data_of_problems(problems_in(WorkFailedError())))


def unfinished_work() -> list[int]:
    """Files whose message was lost, or whose worker was; oldest first."""
    rows = SentDocument.objects.filter(status__in=SENT_UNDER_WAY).order_by("asked_at")
    return list(rows.values_list("pk", flat=True)[:100])


def _do(sent: SentDocument) -> None:
    if sent.began_at is not None and database_now() - sent.began_at > GIVEN_UP_AFTER:
        raise GaveUpError
    with _progress_of(sent) as progress:
        if sent.work == SentWork.IMPORT:
            import_sent(sent=sent, user=sent.sent_by, progress=progress)
        else:
            _done(sent, data_of(try_sent(sent=sent, user=sent.sent_by, progress=progress)))


def _done(sent: SentDocument, told: dict[str, Any]) -> None:
    SentDocument.objects.filter(pk=sent.pk).update(work=SentWork.NONE, status=SentStatus.IDLE, told=told)


@contextmanager
def _progress_of(sent: SentDocument) -> Iterator[Progress]:
    """Told on a connection of its own: what the other one writes is seen at its end only."""
    beside = connection.copy()
    try:

        def tell(done: int, of: int) -> None:
            with beside.cursor() as cursor:
                cursor.execute(_PROGRESS, [done, of, sent.pk])

        yield tell
    finally:
        beside.close()
