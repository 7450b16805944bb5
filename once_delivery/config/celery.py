"""The Celery application: messages are few, small and only wake (R12); the rows are the truth."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

from celery import Celery
from celery.signals import beat_init, celeryd_init, setup_logging, task_prerun, worker_process_init
from django.conf import settings

from once_delivery.common.die_with_parent import die_with_parent
from once_delivery.config import pgmq_transport
from once_delivery.config.database import libpq

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "once_delivery.config.settings")

QUEUE = "once"
POLL_SECONDS = 0.1
# how often a Redis worker looks for what a killed one held; as it comes, every 100 seconds
RESTORE_SECONDS = 10
SWEEP_SECONDS = 5.0
CASES_SECONDS = 10.0
NOTICES_SECONDS = 5.0
NEWS_SECONDS = 5.0
PURGE_SECONDS = 3600.0
AUDITS_SECONDS = 60.0
FORGET_SECONDS = 60.0
DRILLS_SECONDS = 30.0
COSTS_SECONDS = 600.0
EXPORTS_SECONDS = 30.0
VENDOR_DRILLS_SECONDS = 10.0  # also ends those whose time is over

pgmq_transport.install()
app = Celery("once_delivery")


def broker_options(database: dict[str, Any], broker_url: str) -> dict[str, Any]:
    """Options of the transport; PGMQ lies in ``database`` ."""
    if broker_url.startswith("amqp"):
        return {"confirm_publish": True}
    options: dict[str, Any] = {"visibility_timeout": settings.BROKER_REDELIVERY_SECONDS}
    if broker_url.startswith("redis"):
        options |= {"unacked_restore_interval": RESTORE_SECONDS, "unacked_restore_throttle": 1}
    if broker_url.startswith("pgmq"):
        options |= {
            "conn_string": libpq(database),
            "wait_time_seconds": 0,  # a long poll would hold up the loop that gives out work
            "polling_interval": POLL_SECONDS,
            "pool_size": 4,
            "pool_timeout": 10,
        }
    return options


app.conf.update(
    broker_url=settings.CELERY_BROKER_URL,
    broker_transport_options=broker_options(settings.DATABASES["default"], settings.CELERY_BROKER_URL),
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    result_backend=None,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    task_default_queue=QUEUE,
    # classic queues without priorities or routing by exchange: the same on every broker
    task_create_missing_queues=False,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_publish_retry_policy={
        "max_retries": 3,
        "interval_start": 0.1,
        "interval_step": 0.2,
        "interval_max": 0.5,
    },
    worker_prefetch_multiplier=settings.WORKER_PREFETCH,
    # no chatter between workers: over PGMQ each of these would be one more queue to poll
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_hijack_root_logger=False,
    timezone="UTC",
    enable_utc=True,
    beat_schedule_filename=str(settings.STATE_DIR / "beat-schedule"),
    beat_schedule={
        # a sweep that nobody took in time is worth nothing: the next one sees the same rows
        "sweep": {
            "task": "once_delivery.ledger.tasks.sweep",
            "schedule": SWEEP_SECONDS,
            "options": {"expires": SWEEP_SECONDS * 4},
        },
        "tell news": {
            "task": "once_delivery.ledger.tasks.tell_news",
            "schedule": NEWS_SECONDS,
            "options": {"expires": NEWS_SECONDS * 4},
        },
        "forget kept answers": {
            "task": "once_delivery.api.tasks.purge_kept_answers",
            "schedule": PURGE_SECONDS,
            "options": {"expires": PURGE_SECONDS},
        },
        "forget refused forms": {
            "task": "once_delivery.ui.tasks.forget_answer_pages",
            "schedule": PURGE_SECONDS,
            "options": {"expires": PURGE_SECONDS},
        },
        "open cases": {
            "task": "reconciliation.tasks.open_cases",
            "schedule": CASES_SECONDS,
            "options": {"expires": CASES_SECONDS * 4},
        },
        "audit by night": {
            "task": "reconciliation.tasks.audit_by_night",
            "schedule": AUDITS_SECONDS,
            "options": {"expires": AUDITS_SECONDS * 2},
        },
        "forget by night": {
            "task": "once_delivery.retention.tasks.forget_by_night",
            "schedule": FORGET_SECONDS,
            "options": {"expires": FORGET_SECONDS * 2},
        },
        "wake drills": {
            "task": "once_delivery.drill.tasks.wake_drills",
            "schedule": DRILLS_SECONDS,
            "options": {"expires": DRILLS_SECONDS * 2},
        },
        "wake vendor drills": {
            "task": "once_delivery.vendor_drill.tasks.wake_vendor_drills",
            "schedule": VENDOR_DRILLS_SECONDS,
            "options": {"expires": VENDOR_DRILLS_SECONDS * 2},
        },
        "pull costs": {
            "task": "billing.tasks.pull_costs",
            "schedule": COSTS_SECONDS,
            "options": {"expires": COSTS_SECONDS},
        },
        "keep exports": {
            "task": "billing.tasks.keep_exports",
            "schedule": EXPORTS_SECONDS,
            "options": {"expires": EXPORTS_SECONDS * 2},
        },
        "send notices": {
            "task": "once_delivery.notices.tasks.send_due",
            "schedule": NOTICES_SECONDS,
            "options": {"expires": NOTICES_SECONDS * 4},
        },
    },
)
app.autodiscover_tasks()


@setup_logging.connect
def _log_like_the_house(**_kwargs: object) -> None:
    """Django has set the logging up; Celery must not add its own."""


@celeryd_init.connect
@beat_init.connect
def _start_what_is_embedded(**_kwargs: object) -> None:
    """The broker is asked before the first query would start the embedded server."""
    server = settings.DATABASES["default"]["EMBEDDED"]
    if server is not None:
        server.ensure_running()


@worker_process_init.connect
def _end_with_the_worker(**_kwargs: object) -> None:
    """A child whose worker was killed would otherwise go on with its task, unseen by anybody."""
    die_with_parent(os.getppid())


@task_prerun.connect
def _let_the_kernel_end_it(**_kwargs: object) -> None:
    """The pool gives its children a handler for SIGALRM, after worker_process_init; R2 needs the default action."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
