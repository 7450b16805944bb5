"""What the tests of forgetting begin with: a project full of a client's words, and every word of the database."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection

from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.config.database import libpq
from once_delivery.intake.models import Upload
from once_delivery.ledger.models import Action, Batch, Task
from once_delivery.ledger.requests import ActionRequest, BatchRequest, DeliveryRequest
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.notices.models import Channel, Event, Message
from once_delivery.review.drafts import draft_action_of
from once_delivery.review.models import Reason, Verdict
from once_delivery.review.services.comment_on_task import comment_on_task
from once_delivery.review.services.decide import Decider, decide_draft
from once_delivery.review.services.fetch_draft import fetch_draft
from once_delivery.targets.base import Answer, EffectRequest, FileBytes, FoundObject, Kind, Outcome
from reconciliation.decisions import Decision
from reconciliation.models import Case
from reconciliation.services.audit_target import audit_target
from reconciliation.services.decide_case import decide_case
from reconciliation.services.open_cases import open_cases
from reconciliation.services.work_on_case import comment
from tests.api.caller import an_identity
from tests.builders import a_delivery, a_project, a_target, a_user
from tests.fakes.connector import FakeTarget

WORD = "zinnoberrot"  # the client's: it stands in everything that they gave, and in nothing else
YEAR = 366 * 86_400.0
_BYTES = f"{WORD} picture".encode()
PICTURE = FileBytes("a.png", "image/png", hashlib.sha256(_BYTES).hexdigest(), _BYTES)


def a_person(name: str, role: Role, project: Project) -> User:
    user = a_user(name)
    Membership.objects.get_or_create(project=project, user=user, defaults={"role": role})
    return user


def a_request(product: str = "kettle", *, words: str = WORD, name: str = "autumn") -> BatchRequest:
    """A draft and the file it names, all of it the client's words."""
    actions = (
        ActionRequest(
            target="cms",
            kind=Kind.UPLOAD_FILE,
            slot="hero",
            payload={
                "file": {"sha256": PICTURE.sha256, "name": "a.png", "media_type": "image/png"},
                "alt": words,
            },
        ),
        ActionRequest(
            target="cms",
            kind=Kind.CREATE_DRAFT,
            slot="main",
            payload={"title": f"{words} {product}", "body": f"<p>{words}</p>"},
        ),
    )
    delivery: DeliveryRequest = a_delivery(product, actions=actions, brief={"text": f"write of {words}"})
    return BatchRequest(name=name, deliveries=(delivery,), files={PICTURE.sha256: PICTURE})


def lost_with_words(target: FakeTarget, request: EffectRequest) -> Answer:
    """Committed; what came back was cut off, and has the client's words in it."""
    target.create(request)
    return Answer(Outcome.UNKNOWN, "truncated", detail=f"cut after {WORD}", excerpt=f'{{"title": "{WORD}')


def a_project_full_of_words(fake: FakeTarget) -> Task:
    """A task with all that can happen to one: lost answers, look-ups, a duplicate with its case, decisions, talk."""
    project = a_project()
    a_target(project, on_new_version="update_existing")
    fake.scripted = [lost_with_words, lost_with_words]
    deliver(a_request())
    task = Task.objects.get()
    lead = a_person("lead", Role.MARKETING_LEAD, project)
    _a_case(fake, Action.objects.get(kind=Kind.CREATE_DRAFT))
    comment_on_task(task=task, user=lead, text=f"is it {WORD}?")
    shown = fetch_draft(action=draft_action_of(task)).content_hash
    for verdict, reasons in ((Verdict.CHANGES, [Reason.TONE]), (Verdict.ACCEPTED, [])):
        decide_draft(
            task=task,
            verdict=verdict,
            decider=Decider(user=lead),
            content_hash=shown,
            reasons=reasons,
            text=f"more {WORD}",
        )
    _around(project, lead)
    return task


def deliver(request: BatchRequest) -> Batch:
    result = request_batch(project=a_project(), request=request, user=None)
    batch = result.batch
    resume_batch(batch=batch, wait_s=5)
    assert set(Action.objects.values_list("state", flat=True)) == {"confirmed"}
    return batch


def _a_case(fake: FakeTarget, action: Action) -> None:
    twin = FoundObject(result_id="twin", marker=action.marker, title=f"{WORD} twin", version="1")
    fake.objects.append(twin)
    audit_target(target=action.target)
    open_cases()
    case = Case.objects.get()
    ops = a_user("ops")
    comment(case=case, user=ops, text=f"the second {WORD}")
    fake.objects.remove(twin)
    decide_case(case=case, decision=Decision.SETTLE, user=ops, words=f"{WORD} was deleted there")
    resume_batch(batch=Batch.objects.get(), wait_s=5)
    audit_target(target=action.target)


def _around(project: Project, user: User) -> None:
    """What is kept beside the task."""
    data = f"title,body\n{WORD},{WORD}\n".encode()
    Upload.objects.create(
        project=project,
        user=user,
        file_name="autumn.csv",
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        data=data,
        report={"problems": [WORD]},
    )
    message = Message(
        project=project,
        channel=Channel.WEBHOOK,
        address="https://hooks.example.com",
        event=Event.CASE_HANDED,
        subject=WORD,
        text=WORD,
        data={"words": WORD},
        sent_at="2026-01-01T00:00:00Z",
    )
    message.save()


def the_item() -> dict[str, Any]:
    """``a_request``, as a program says it."""
    (delivery,) = a_request().deliveries
    return {
        "identity": an_identity(),
        "brief": dict(delivery.brief or {}),
        "actions": [
            {"target": "cms", "kind": str(one.kind), "slot": one.slot, "content": dict(one.payload)}
            for one in delivery.actions
            if one.kind == Kind.CREATE_DRAFT  # files do not come this way
        ],
    }


@contextmanager
def other_connection() -> Iterator[psycopg.Connection]:
    """Somebody else at the same database."""
    with psycopg.connect(libpq(connection.settings_dict)) as other:
        yield other


def places_of(word: str) -> set[str]:
    """Every table that holds ``word`` in any column, bytes included."""
    found = set()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')"
        )
        for (table,) in cursor.fetchall():
            cursor.execute(
                f"SELECT EXISTS (SELECT 1 FROM {table} t WHERE t::text LIKE %s OR t::text LIKE %s)",  # noqa: S608 - of PostgreSQL's own list
                [f"%{word}%", f"%{word.encode().hex()}%"],
            )
            if cursor.fetchone()[0]:
                found.add(table)
    return found
