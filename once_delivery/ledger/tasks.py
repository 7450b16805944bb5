"""Messages only wake: each task calls one service, and losing or doubling a message changes nothing (R12)."""

from __future__ import annotations

from celery import shared_task

from once_delivery.accounts.models import User
from once_delivery.ledger.models import Batch
from once_delivery.ledger.services.at_target import run_errand as run_errand_service
from once_delivery.ledger.services.close_dead_runs import close_dead_runs
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.services.gather_counts import gather_counts
from once_delivery.ledger.services.heart import note_sweep
from once_delivery.ledger.services.resume_batch import resume_batch as resume_batch_service
from once_delivery.ledger.services.tell_news import tell_news as tell_news_service
from once_delivery.ledger.services.work_all import due_targets
from once_delivery.ledger.services.work_target import work_target as work_target_service
from once_delivery.ledger.transitions import Actor
from once_delivery.notices.tasks import send_due
from once_delivery.targets.models import ErrandKind
from once_delivery.targets.services.errands import unattended

WORKER = Actor("system:worker")


@shared_task(name="once_delivery.ledger.tasks.work_target")
def work_target(target_id: int) -> None:
    """This target has work."""
    done = work_target_service(target_id=target_id, actor=WORKER)
    if tell_news_service():
        send_due.delay()
    if done.performed or done.looked:
        work_target.delay(target_id)  # there may be more; the next message finds out


@shared_task(name="once_delivery.ledger.tasks.resume_batch")
def resume_batch(batch_id: int, user_id: int | None = None) -> None:
    """A person asked to resume this batch."""
    user = User.objects.filter(pk=user_id).first() if user_id else None
    resume_batch_service(batch=Batch.objects.get(pk=batch_id), user=user)


@shared_task(name="once_delivery.ledger.tasks.run_errand")
def run_errand(errand_id: int) -> None:
    """A person asked for a connection test or a probe."""
    run_errand_service(errand_id=errand_id)


@shared_task(name="once_delivery.ledger.tasks.tell_news")
def tell_news() -> None:
    """What outside programs wait to be told goes to the outbox."""
    if tell_news_service():
        send_due.delay()


@shared_task(name="once_delivery.ledger.tasks.sweep")
def sweep() -> None:
    """Find due rows without any message, and say which targets have work."""
    note_sweep()
    expire_leases()
    close_dead_runs()
    gather_counts()
    for target_id in due_targets():
        work_target.delay(target_id)
    for errand_id in unattended((ErrandKind.CHECK, ErrandKind.PROBE)):
        run_errand.delay(errand_id)
