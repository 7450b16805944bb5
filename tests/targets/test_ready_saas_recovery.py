"""Through the ledger: an answer of a documented service is lost, and recovery ends with every draft there once."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from once_delivery.targets.base import Kind
from once_delivery.targets.rest.profiles import ready_profile
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_batch, a_delivery, a_project, actions_of
from tests.fakes.scripted_server import serving
from tests.targets.saas.contentful import Contentful
from tests.targets.saas.double import Double
from tests.targets.saas.drupal import Drupal
from tests.targets.saas.sanity import Sanity
from tests.targets.saas.shopify import Shopify

TIMES: dict[str, Any] = {
    "deadline_s": 2.0, "settle_s": 0.5, "look_up_every_s": 0.2, "patience_s": 30.0, "rate_per_s": None, "index_lag_s": 0.1,
}  # fmt: skip

pytestmark = pytest.mark.django_db(transaction=True)


def a_target(double: Double, url: str) -> None:
    ready = ready_profile(double.name, **double.values)
    save_target(
        project=a_project(),
        name="cms",
        kind="rest",
        base_url=url,
        declaration=ready.declaration,
        profile={**ready.profile, **TIMES},
        credentials=double.credentials,
        allow_inside=True,
    )


def drafts(*products: str) -> Batch:
    requests = [
        ActionRequest("cms", Kind.CREATE_DRAFT, "main", {"title": product, "body": f"<p>{product}</p>"})
        for product in products
    ]
    return a_batch(a_project(), *(a_delivery(one.payload["title"], actions=(one,)) for one in requests))


def all_there_once(double: Double, batch: Batch) -> None:
    for action in actions_of(batch):
        (held,) = double.held(action.marker)
        assert (Action.objects.get(pk=action.pk).state, action.result_id) == (State.CONFIRMED, held.id)
        assert not held.public


@pytest.mark.parametrize(
    ("kind", "lose"),
    [
        (Contentful, "after"), (Sanity, "after"), (Shopify, "after"), (Drupal, "after"),
        (Contentful, "before"), (Sanity, "before"), (Drupal, "before"),
    ],
)  # fmt: skip
def test_every_draft_is_there_once(kind: type[Double], lose: str) -> None:
    double = kind()
    double.lose = lose
    with serving(double) as server:
        a_target(double, server.url)
        batch = drafts("kettle", "lamp", "bottle")
        resume_batch(batch=batch, wait_s=30)
    all_there_once(double, batch)
    # what had arrived was found, not sent again
    assert len(double.effects()) == (3 if lose == "after" else 4)


def test_where_a_look_up_may_lag_absence_needs_something_newer_that_is_visible() -> None:
    double = Shopify()
    double.lose = "before"
    with serving(double) as server:
        a_target(double, server.url)
        batch = drafts("kettle")
        resume_batch(batch=batch, wait_s=2)
        assert [action.state for action in actions_of(batch)] == [State.UNCERTAIN]
        assert double.held() == []
        later = drafts("lamp")
        resume_batch(batch=later, wait_s=10)
        resume_batch(batch=batch, wait_s=20)
    all_there_once(double, batch)
    all_there_once(double, later)
    assert len(double.effects()) == 3
