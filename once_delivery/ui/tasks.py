"""What is kept about forms goes when its time is over."""

from __future__ import annotations

from celery import shared_task

from once_delivery.ui.answers import forget_old_pages


@shared_task(name="once_delivery.ui.tasks.forget_answer_pages")
def forget_answer_pages() -> None:
    """Pages that refused a form go after an hour."""
    forget_old_pages()
