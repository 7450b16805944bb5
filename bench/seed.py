"""Requests that are made before anything is measured: one by the ledger's own service, many copies by SQL.

The copies pass the same triggers and constraints. Needs Django to be set up.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import connection, transaction

from once_delivery.accounts.models import Client, Project, User
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.requests import ActionRequest, BatchRequest, DeliveryRequest
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.ledger.states import NextStep
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Target
from once_delivery.targets.services.save_target import save_target

TEXT = "<p>An electric kettle that remembers 60, 80 and 95 °C, and keeps it so for half an hour.</p>"
BODY = TEXT * 8
CONCURRENCY = 16
A_PRODUCT = 20
NOOP_PROFILE: dict[str, Any] = {
    "guard": "lookup",
    "look_up": True,
    "consistency": "strong",
    "deadline_s": 10.0,
    "settle_s": 30.0,
    "concurrency": CONCURRENCY,
}
PAYLOAD = {"title": "Kettle", "body": BODY}


@dataclass(frozen=True, slots=True)
class Seeded:
    """A batch at ``target`` whose actions are copies of one."""

    target: Target
    batch: Batch


def make_project() -> Project:
    """A project with its owner and stand-in."""
    owner, deputy = User.objects.create(username="owner"), User.objects.create(username="deputy")
    return Project.objects.create(
        client=Client.objects.create(name="Bench"),
        code="bench",
        name="Bench",
        default_owner=owner,
        stand_in_owner=deputy,
    )


def noop_target(project: Project) -> Target:
    """A target that does everything at once."""
    return save_target(
        project=project, name="noop", kind="noop", base_url="", declaration={}, profile=NOOP_PROFILE
    )


def request_of(target: Target, *, name: str, count: int) -> BatchRequest:
    """``count`` drafts, ``A_PRODUCT`` of each product, as a catalogue has them."""
    draft = ActionRequest(target=target.name, kind=Kind.CREATE_DRAFT, slot="main", payload=PAYLOAD)
    return BatchRequest(
        name=name,
        deliveries=tuple(
            DeliveryRequest(
                product=f"{name}-{number // A_PRODUCT}",
                product_name="Kettle",
                locale="de-DE",
                purpose=f"page {number % A_PRODUCT}",
                input_version=1,
                brief={"text": "The brief"},
                approved_by="marketing",
                approved_at=datetime(2026, 9, 1, tzinfo=UTC),
                actions=(draft,),
            )
            for number in range(count)
        ),
    )


def make_batch(target: Target, *, name: str, actions: int) -> Seeded:
    """A batch of ``actions`` drafts, none of them sent."""
    made = request_batch(project=target.project, request=request_of(target, name=name, count=1), user=None)
    seeded = Seeded(target=target, batch=made.batch)
    _copy(seeded.batch, actions - 1)
    return seeded


def top_up(seeded: Seeded, wanted: int) -> None:
    """Afterwards at least ``wanted`` actions of the batch wait to be performed."""
    there = Action.objects.filter(target=seeded.target, next_step=NextStep.PERFORM).count()
    if there < wanted:
        _copy(seeded.batch, wanted - there)


def first_action(seeded: Seeded) -> Action:
    """The one that the others are copies of."""
    return Action.objects.filter(task__references__batch=seeded.batch).order_by("pk")[0]


def _copy(batch: Batch, count: int) -> None:
    if count < 1:
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_TASKS, {"batch": batch.pk, "count": count})
        since = min(task_id for (task_id,) in cursor.fetchall())
        cursor.execute(_ACTIONS, {"batch": batch.pk, "since": since})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE ledger_task, ledger_batchtask, ledger_action, ledger_event")


# n goes on from where the last copy stopped
_TASKS = """
WITH first AS (
    SELECT t.* FROM ledger_task t JOIN ledger_batchtask r ON r.task_id = t.id
    WHERE r.batch_id = %(batch)s ORDER BY t.id LIMIT 1
), so_far AS (
    SELECT count(*) AS n FROM ledger_batchtask WHERE batch_id = %(batch)s
), made AS (
    INSERT INTO ledger_task (uuid, project_id, product_id, locale, purpose, input_version_id, created_at)
    SELECT gen_random_uuid(), project_id, product_id, locale, purpose || '-' || so_far.n + more, input_version_id,
        created_at
    FROM first, so_far, generate_series(0, %(count)s - 1) more
    RETURNING id
)
INSERT INTO ledger_batchtask (batch_id, task_id, existed, repeats, position)
SELECT %(batch)s, made.id, false, 0, so_far.n + row_number() OVER (ORDER BY made.id) FROM made, so_far
RETURNING task_id
"""

_ACTIONS = """
WITH first AS (
    SELECT a.* FROM ledger_action a JOIN ledger_batchtask r ON r.task_id = a.task_id
    WHERE r.batch_id = %(batch)s ORDER BY a.id LIMIT 1
), made AS (
    INSERT INTO ledger_action (
        uuid, project_id, task_id, target_id, kind, slot, marker, client_id, payload, fingerprint, state, revision,
        reason, next_step, next_step_at, key_generation, sends, releases, look_ups, result_id, result_url, presence,
        state_since, created_at)
    SELECT gen_random_uuid(), f.project_id, r.task_id, f.target_id, f.kind, f.slot,
        'once-' || left(md5(r.task_id::text), 26), gen_random_uuid(), f.payload, f.fingerprint, 'planned', 0,
        'requested', 'perform', clock_timestamp(), 1, 0, 0, 0, '', '', 'unchecked', clock_timestamp(),
        clock_timestamp()
    FROM first f, ledger_batchtask r
    WHERE r.batch_id = %(batch)s AND r.task_id >= %(since)s
    RETURNING id, project_id
)
INSERT INTO ledger_event (project_id, action_id, kind, from_state, to_state, reason, actor, data, at)
SELECT project_id, id, 'requested', '', 'planned', 'requested', 'system:request', '{}', clock_timestamp() FROM made
"""
