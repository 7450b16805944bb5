"""Waking a worker. A message that cannot be sent delays the work and loses none (R12)."""

from __future__ import annotations

from django.contrib import messages
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from once_delivery.ledger import tasks
from once_delivery.ui.doors import MemberRequest
from reconciliation import tasks as case_tasks


def wake_target(request: MemberRequest, target_id: int) -> None:
    """There is work at a target."""
    try:
        tasks.work_target.delay(target_id)
    except OperationalError:
        _say(request)


def wake_bulk(request: MemberRequest, bulk_id: int) -> None:
    """A plan is to be carried out."""
    try:
        case_tasks.run_bulk.delay(bulk_id)
    except OperationalError:
        _say(request)


def _say(request: MemberRequest) -> None:
    messages.warning(
        request,
        _("The worker could not be woken. Nothing is lost: what is due is found by the next sweep."),
    )
