"""Actions: made with their markers and needs; other content under the same identity is refused (R9)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import connection
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import Project
from once_delivery.common.errors import Problem
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.intent import titles
from once_delivery.ledger.intent.canonical import TaskKey, Wanted, WantedAction
from once_delivery.ledger.intent.tasks import Kept
from once_delivery.ledger.marker import ActionIdentity, client_id_of, marker_of
from once_delivery.ledger.models import Action, ActionNeed, Task
from once_delivery.ledger.states import NextStep
from once_delivery.ledger.transitions import Actor

Identity = tuple[int, int, str, str]  # task, target, kind, slot


def ensure(
    *,
    project: Project,
    wanted: list[Wanted],
    kept: Kept,
    problems: list[Problem],
    actor: Actor,
) -> list[Action]:
    """Find or make every action; returns the new ones. Problems are added for other content.

    The products of ``kept`` are held, so that nobody else makes one meanwhile.
    """
    tasks = kept.by_key
    asked: dict[Identity, tuple[Wanted, WantedAction]] = {}
    for one in wanted:
        for action in one.actions:
            identity = (tasks[one.key].pk, action.target.pk, action.kind, action.slot)
            first = asked.setdefault(identity, (one, action))
            if first[1].fingerprint != action.fingerprint:
                problems.append(_other_content(one, first[1].fingerprint, action.fingerprint))
    before = _known({identity[0] for identity in asked} - {task.pk for task in kept.new})
    for identity, (one, action) in asked.items():
        known = before.get(identity)
        if known is not None and known[1] != action.fingerprint:
            problems.append(_other_content(one, known[1], action.fingerprint))
    if problems:
        return []
    new = {identity: pair for identity, pair in asked.items() if identity not in before}
    if not new:
        return []
    rows = _make(project, new, tasks)
    made = {identity: row.pk for identity, row in zip(new, rows, strict=True)}
    _connect(new, {identity: pk for identity, (pk, _fingerprint) in before.items()} | made)
    titles.keep(project_id=project.pk, payloads={row.pk: row.payload for row in rows})
    _write_requested(list(made.values()), actor)
    return rows


def _known(task_ids: Collection[int]) -> dict[Identity, tuple[int, str]]:
    if not task_ids:
        return {}
    rows = Action.objects.filter(task_id__in=task_ids).values_list(
        "task_id", "target_id", "kind", "slot", "pk", "fingerprint"
    )
    return {
        (task, target, kind, slot): (pk, fingerprint) for task, target, kind, slot, pk, fingerprint in rows
    }


def _make(
    project: Project, new: Mapping[Identity, tuple[Wanted, WantedAction]], tasks: Mapping[TaskKey, Task]
) -> list[Action]:
    now = database_now()
    rows = []
    for one, action in new.values():
        product, locale, purpose, number = one.key
        marker = marker_of(
            ActionIdentity(
                project=str(project.uuid),
                product=product,
                locale=locale,
                purpose=purpose,
                input_version=number,
                target=str(action.target.uuid),
                kind=action.kind,
                slot=action.slot,
            )
        )
        rows.append(
            Action(
                project=project,
                task=tasks[one.key],
                target=action.target,
                kind=action.kind,
                slot=action.slot,
                marker=marker,
                client_id=client_id_of(marker),
                payload=dict(action.payload),
                fingerprint=action.fingerprint,
                by_permit=action.by_permit,
                next_step=NextStep.WAIT if action.by_permit else NextStep.PERFORM,
                next_step_at=now,
                state_since=now,
            )
        )
    return Action.objects.bulk_create(rows, batch_size=2000)


def _connect(new: Mapping[Identity, tuple[Wanted, WantedAction]], known: Mapping[Identity, int]) -> None:
    """Write down which action waits for which result. A reference means a slot of the same delivery."""
    needs = []
    for identity, (one, action) in new.items():
        own = {
            other.slot: known[identity[0], other.target.pk, other.kind, other.slot] for other in one.actions
        }
        needs += [ActionNeed(action_id=known[identity], needs_id=own[slot]) for slot in action.needs]
    ActionNeed.objects.bulk_create(needs, ignore_conflicts=True, batch_size=5000)


def _write_requested(action_ids: list[int], actor: Actor) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_event (project_id, action_id, kind, from_state, to_state, reason, actor, user_id,
                                         data, at)
               SELECT project_id, id, 'requested', '', 'planned', 'requested', %s, %s, '{}', clock_timestamp()
               FROM ledger_action WHERE id = ANY(%s)""",
            [actor.name, actor.user_id, action_ids],
        )


def _other_content(one: Wanted, known: str, given: str) -> Problem:
    product, locale, purpose, number = one.key
    return Problem(
        code="content-changed",
        template=gettext_noop(
            "%(identity)s was asked for with other content (first %(known)s, now %(given)s). Changed content is a "
            "new input version: raise its number."
        ),
        params={"identity": f"{product} › {locale} › {purpose} › v{number}", "known": known, "given": given},
        row=one.request.row,
    )
