"""PostgreSQL counts what is asked for: the sizes are those that counting gives, whoever asks and however often."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Batch, BatchSize, BatchTask, ProjectSize
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_target


def sizes_are_right() -> None:
    for batch in Batch.objects.all():
        size = BatchSize.objects.get(batch=batch)
        counted = Action.objects.filter(task__references__batch=batch).count()
        assert (size.tasks, size.actions) == (BatchTask.objects.filter(batch=batch).count(), counted)
    for project in Project.objects.all():
        assert (
            ProjectSize.objects.get(project=project).actions == Action.objects.filter(project=project).count()
        )


@pytest.mark.django_db
def test_sizes_follow_what_is_asked_for() -> None:
    project, other = a_project(), a_project("borealis")
    a_target(project)
    a_target(other)

    a_batch(project, a_delivery("kettle", actions=(a_draft(),)), a_delivery("lamp"), name="first")
    a_batch(other, a_delivery("kettle"), name="another tenant's")
    sizes_are_right()

    # a second batch refers to a task of the first and brings a new one
    a_batch(project, a_delivery("kettle", actions=(a_draft(),)), a_delivery("cup"), name="second")
    sizes_are_right()
    assert BatchSize.objects.get(batch__name="second").tasks == 2

    # another action for a task that two batches refer to
    more = a_delivery("kettle", actions=(a_draft(), a_draft(slot="second")))
    a_batch(project, more, name="first")
    sizes_are_right()
    assert [one.actions for one in BatchSize.objects.filter(batch__project=project).order_by("pk")] == [3, 3]

    a_batch(project, more, name="first")  # nothing new
    sizes_are_right()


@pytest.mark.django_db(transaction=True)
def test_sizes_are_right_when_two_ask_at_once_for_the_same_task() -> None:
    project = a_project()
    a_target(project)
    a_batch(project, a_delivery("kettle", actions=(a_draft(),)), name="first")
    start = threading.Barrier(4)

    def ask(number: int) -> None:
        start.wait()
        slots = (a_draft(), a_draft(slot=f"slot-{number}"))
        a_batch(project, a_delivery("kettle", actions=slots), name=f"batch {number}")
        connection.close()

    asking = [threading.Thread(target=ask, args=[number]) for number in range(4)]
    for one in asking:
        one.start()
    for one in asking:
        one.join()

    assert BatchTask.objects.count() == 5
    assert Action.objects.count() == 5
    sizes_are_right()
