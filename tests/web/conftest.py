"""Two tenants. Alice owns the cases of hers, Vic only reads there, Charlie belongs to the other one.

``world.people`` has somebody for every role of the first tenant.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client as Browser
from django.utils import timezone, translation

from once_delivery.accounts.models import Client, Membership, Project, Role, User
from once_delivery.drill.models import Drill, DrillStatus
from once_delivery.ledger.claims import Claimed
from once_delivery.ledger.models import Action, Batch, Observation, Run, RunKind, RunStatus
from once_delivery.ledger.services.finish_run import finish_run
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Move, move
from once_delivery.targets.base import Answer, Outcome, Presence
from once_delivery.targets.models import Target
from reconciliation.models import Audit, AuditStatus, Case, Finding, FindingKind
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_draft, a_target
from tests.ledger.given import ACTOR, claim, done, record, said
from tests.shared_world import SHARED, commits

PRODUCTS = (("kettle", "手冲壶"), ("lamp", "露营灯"), ("cup", "保温杯"))
LOCALES = ("en-US", "de-DE")


@dataclass(frozen=True)
class World:
    """What the pages are about."""

    alice: User
    vic: User
    charlie: User
    nobody: User
    project: Project
    batch: Batch
    case: Case
    drill: Drill
    people: dict[Role, User]

    def action(self, state: str) -> Action:
        return Action.objects.filter(state=state, project=self.project).order_by("pk")[0]

    @property
    def target(self) -> Target:
        return Target.objects.get(project=self.project, name="cms")

    @property
    def finding(self) -> Finding:
        """A finding of an audit; made when it is first asked for."""
        return Finding.objects.filter(project=self.project).first() or _finding(self.target)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever has the world has a database; the world comes first, so that a test's transaction lies within it."""
    for item in items:
        names = getattr(item, "fixturenames", [])
        if "world" in names and "db" not in names:
            names.append("db")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """What one test's browser spoke is not what the next one reads."""
    with translation.override("en"):
        yield


@pytest.fixture
def world(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any) -> World:
    """Made once a module; once a test where tests commit."""
    if commits(request.node):
        request.getfixturevalue("transactional_db")
        return _a_world()
    found: World = SHARED.enter(request.module, _a_world, django_db_blocker)
    request.getfixturevalue("db")
    return found


def _a_world() -> World:
    alice, vic, charlie = _user("alice", "爱丽"), _user("vic", "维克"), _user("charlie", "查理")
    project, other = _project("aurora", "极光", alice), _project("borealis", "北极", charlie)
    people = {Role.OPS_OWNER: alice, Role.VIEWER: vic}
    for role in Role:
        person = people.setdefault(role, _user_of(role))
        Membership.objects.get_or_create(project=project, user=person, defaults={"role": role})
    batch = _batch(project)
    _batch(other)
    _happen(batch)
    open_cases()
    drill = Drill.objects.create(project=project, status=DrillStatus.PASSED, report={"rounds": []})
    case = Case.objects.get(project=project, action__state="reconcile")
    return World(alice, vic, charlie, _user("nobody", "无名"), project, batch, case, drill, people)


@pytest.fixture
def alice(world: World) -> Browser:
    return signed_in(world.alice)


def signed_in(user: User, *, language: str = "en", confirmed: bool = False) -> Browser:
    """``confirmed``: they have just shown who they are."""
    browser = Browser(headers={"accept-language": language})
    browser.force_login(user)
    if confirmed:
        session = browser.session
        session["confirmed_at"] = time.time()
        session.save()
    return browser


def _user(name: str, last_name: str) -> User:
    return User.objects.create_user(name, password="quite-a-long-one", last_name=last_name)


def _user_of(role: Role) -> User:
    return User.objects.get_or_create(username=f"some-{role}".replace("_", "-"))[0]


def _project(code: str, name: str, owner: User) -> Project:
    client = Client.objects.create(name=f"{name}家居")
    project = Project.objects.create(
        client=client, code=code, name=name, default_owner=owner, stand_in_owner=owner
    )
    Membership.objects.create(project=project, user=owner, role=Role.OPS_OWNER)
    return project


def _batch(project: Project) -> Batch:
    a_target(project, settle_s=600, deadline_s=30)
    deliveries = [
        a_delivery(
            code,
            locale,
            product_name=name,
            purpose="商品页",
            approved_by="周舟",
            actions=(a_draft(title=f"{name} {locale}"), a_draft(title="x", slot="second"))
            if code == "cup"
            else (a_draft(title=f"{name} {locale}"),),
        )
        for code, name in PRODUCTS
        for locale in LOCALES
    ]
    return a_batch(project, *deliveries, name="秋季上新", source_name="autumn.xlsx")


def _happen(batch: Batch) -> None:
    """One run that leaves an action in each of the states that a person meets."""
    run = Run.objects.create(
        project=batch.project, batch=batch, kind=RunKind.FIRST, external_id="n8n-48213", process="test"
    )
    group = claim(batch, limit=6)
    assert group is not None
    answers = (
        done("obj-1"),
        said(Outcome.UNKNOWN, "reset"),
        said(Outcome.REFUSED, "http-422", http_status=422),
        Answer(Outcome.ACCEPTED, "accepted", "job-5"),
        said(Outcome.UNKNOWN, "deadline", excerpt="<b>nothing</b>"),
    )
    items: tuple[Claimed, ...] = tuple(group.items)
    record(batch, *zip(items, answers, strict=False))
    _to_a_person(items[4].action_id)
    _looked_at(items[0].action_id)
    finish_run(
        run=run,
        status=RunStatus.FAILED,
        summary={"before": {"perform": 8}, "after": {"person": 1, "look_up": 1}},
    )


def _finding(target: Target) -> Finding:
    """An audit of the target that found something which the ledger does not know."""
    now = timezone.now()
    audit = Audit.objects.create(
        project=target.project,
        target=target,
        run=Run.objects.create(project=target.project, kind=RunKind.AUDIT, process="test"),
        status=AuditStatus.COMPLETE,
        started_at=now,
        finished_at=now,
        counts={"objects": 3, "ours": 1, "strangers": 2, "matched": 0, "findings": {"orphan": 1}},
    )
    return Finding.objects.create(
        project=target.project,
        target=target,
        audit=audit,
        kind=FindingKind.ORPHAN,
        marker="once-" + "a" * 26,
        evidence={"held": [{"result_id": "9001", "title": "=1+1", "url": "javascript:alert(1)"}]},
        found_at=now,
    )


def _to_a_person(action_id: int) -> None:
    action = Action.objects.get(pk=action_id)
    Observation.objects.create(
        project=action.project,
        action=action,
        verdict="absent",
        method="marker+likeness",
        complete=True,
        candidates=[
            {"result_id": "8117", "title": "保温杯 350 ml", "status": "draft", "url": "javascript:alert(1)"}
        ],
        looked_at=timezone.now(),
        recorded_at=timezone.now(),
    )
    move(
        [
            Move(
                action_id=action_id,
                source=State.UNCERTAIN,
                to=State.RECONCILE,
                reason="looks-alike",
                revision=action.revision,
                next_step=NextStep.PERSON,
                next_step_at=timezone.now(),
            )
        ],
        actor=ACTOR,
    )


def _looked_at(action_id: int) -> None:
    Action.objects.filter(pk=action_id).update(presence=Presence.PRESENT, checked_at=timezone.now())
