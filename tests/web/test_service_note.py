"""The case of a generation job: what was not run is called simulated, and a second try has its price."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client as Browser
from django.urls import reverse

from once_delivery.ledger.models import Action
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services.advance import advance
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Target
from reconciliation.models import Case
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_project, a_user, the_action
from tests.ledger.given import ACTOR, REAL_LIFE, UNKNOWN, record, the_claim

pytestmark = pytest.mark.django_db(transaction=True)

PRICE = {"amount": "0.28", "currency": "USD", "source": "price list"}


def a_case(declaration: dict[str, Any], kind: str = "jobs") -> Case:
    project = a_project()
    Target.objects.create(
        project=project,
        name="cms",
        kind=kind,
        declaration=declaration,
        profile_data={**REAL_LIFE, "guard": "none", "look_up": False},
    )
    order = ActionRequest("cms", Kind.START_JOB, "video", {"model": "dall-e-3", "prompt": "a kettle"})
    batch = a_batch(project, a_delivery(actions=(order,)))
    record(batch, (the_claim(batch), UNKNOWN))
    action: Action = the_action(batch)
    advance([action.pk], actor=ACTOR)
    open_cases()
    return Case.objects.get(action=action)


def page_of(case: Case, language: str = "en") -> str:
    browser = Browser(headers={"accept-language": language})
    browser.force_login(a_user("ops"))
    return browser.get(reverse("web:case", args=[case.uuid])).content.decode()


def test_whoever_decides_sees_the_label_and_the_price() -> None:
    page = page_of(a_case({"service": "openai_images", "price": PRICE}))

    assert "Simulated" in page
    assert "OpenAI Images is used as its documentation of 2026-11-29 says" in page
    assert "A second try costs 0.28 USD." in page
    assert "price list" in page


def test_a_price_that_nobody_declared_is_said_to_be_missing() -> None:
    assert "What a second try costs was not declared." in page_of(a_case({"service": "openai_images"}))


@pytest.mark.parametrize(("declaration", "kind"), [({"service": "gone"}, "jobs"), ({}, "rest")])
def test_other_targets_say_nothing_of_it(declaration: dict[str, Any], kind: str) -> None:
    page = page_of(a_case(declaration, kind))
    assert "second try" not in page
    assert "Simulated" not in page
