"""A target that can be read, with five drafts of one product and two of another; lead decides about them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client as Browser

from once_delivery.accounts.models import Role, User
from once_delivery.ledger.models import Task
from once_delivery.review.services import fetch_draft
from once_delivery.targets.base import FoundObject
from tests.builders import a_batch, a_delivery, a_draft, actions_of
from tests.fakes.connected import connect
from tests.fakes.connector import FakeTarget
from tests.ledger.given import claim, done, record
from tests.review.what_follows import visible_drafts_are_right
from tests.web.conftest import World, signed_in

BODY = (
    '<p>Ein Schwanenhals, <b>der</b> hört.</p><script>alert(1)</script><img src="/media/pot.png" alt="Topf">'
)
WHERE = (
    ("pot", "de-DE"),
    ("pot", "en-US"),
    ("pot", "fr-FR"),
    ("pot", "it-IT"),
    ("pot", "zh-CN"),
    ("urn", "de-DE"),
)


@pytest.fixture(autouse=True)
def visible_drafts_stay_right(request: pytest.FixtureRequest) -> Iterator[None]:
    """After each test, whatever it did: the table says exactly what follows from actions, drafts and decisions."""
    used = [name for name in ("task", "tasks") if name in request.fixturenames]
    for name in used:
        request.getfixturevalue(name)  # so that the database is still there afterwards
    yield
    if used:
        visible_drafts_are_right()


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeTarget:
    """Whoever reads a draft reads it here."""
    return connect(monkeypatch, FakeTarget(), fetch_draft)


@pytest.fixture
def tasks(world: World, fake: FakeTarget) -> list[Task]:
    """Delivered drafts, in the order of WHERE."""
    batch = a_batch(
        world.project,
        *(
            a_delivery(
                product,
                locale,
                product_name=product.title(),
                approved_by="周舟",
                brief={"points": ["0.6 litres", "two years"], "tone": "calm"},
                actions=(a_draft(title=f"Sent {product} {locale}"),),
            )
            for product, locale in WHERE
        ),
        name="winter",
    )
    group = claim(batch)
    assert group is not None
    record(batch, *((item, done(f"d-{number}")) for number, item in enumerate(group.items)))
    for action in actions_of(batch):
        where = f"{action.task.product.code} {action.task.locale}"
        content = {"title": f"Der Topf {where}", "body": BODY}
        fake.objects.append(
            FoundObject(action.result_id, action.marker, title=where, content=content, version="1")
        )
    by_identity = {(task.product.code, task.locale): task for task in Task.objects.filter(batches=batch)}
    return [by_identity[where] for where in WHERE]


@pytest.fixture
def lead(world: World) -> User:
    return world.people[Role.MARKETING_LEAD]


@pytest.fixture
def browser(lead: User) -> Browser:
    return signed_in(lead, confirmed=True)
