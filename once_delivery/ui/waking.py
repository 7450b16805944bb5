"""Waking a worker from a page. A message that cannot be sent delays the work and loses none (R12)."""

from __future__ import annotations

from typing import Any

from celery import Task
from django.contrib import messages
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from once_delivery.ui.doors import MemberRequest


def wake(request: MemberRequest, task: Task[..., Any], *about: int) -> bool:
    """Whether ``task`` was sent; where it could not be, the page says so."""
    try:
        task.delay(*about)
    except OperationalError:
        messages.warning(
            request,
            _("The worker could not be woken. Nothing is lost: what is due is found by the next sweep."),
        )
        return False
    return True
