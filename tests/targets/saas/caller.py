"""A double and a connector to it, as the ledger would call it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from once_delivery.targets.base import (
    Answer,
    EffectRequest,
    FoundObject,
    Kind,
    Look,
    LookUpRequest,
    Original,
)
from once_delivery.targets.rest.connector import RestConnector
from tests.targets.saas.contentful import Contentful
from tests.targets.saas.double import Double
from tests.targets.saas.drupal import Drupal
from tests.targets.saas.sanity import Sanity
from tests.targets.saas.shopify import Shopify

DRAFT, UPDATE = Kind.CREATE_DRAFT, Kind.UPDATE_DRAFT
ALL: list[type[Double]] = [Contentful, Sanity, Shopify, Drupal]
CREATE_ONLY: list[type[Double]] = [Contentful, Sanity, Drupal]
VERSIONED: list[type[Double]] = [Contentful, Sanity]


def marker(number: int = 1) -> str:
    return f"once-{number:026}"


def own_id(number: int = 1) -> str:
    return f"{number:08}-79c1-545a-8f6d-f941d42ce3e9"


class Caller:
    """A double and a connector to it."""

    def __init__(self, double: Double, connector: RestConnector) -> None:
        self.double = double
        self.connector = connector

    def create(self, number: int = 1, *, title: str = "标题 & <b>", **more: Any) -> Answer:
        payload = {"title": title, "body": "<p>Text</p>", **more}
        return self.connector.perform(EffectRequest(DRAFT, marker(number), own_id(number), "", payload, 2))

    def look(self, number: int = 1) -> Look:
        return self.connector.look_up(LookUpRequest(DRAFT, marker(number), own_id(number), 2))

    def read(self, result_id: str) -> FoundObject:
        (found,) = self.connector.read(kind=DRAFT, result_id=result_id, deadline_s=2).objects
        return found

    def original(self) -> Original:
        answer = self.create()
        return Original(answer.result_id, marker(), answer.version)

    def update(self, original: Original, title: str = "v2") -> Answer:
        payload = {"title": title, "body": "<p>v2</p>"}
        return self.connector.perform(EffectRequest(UPDATE, "once-u", "", "", payload, 2, original=original))

    def updated(self, original: Original, title: str = "v2") -> Look:
        payload = {"title": title, "body": "<p>v2</p>"}
        return self.connector.look_up(
            LookUpRequest(UPDATE, "once-u", "", 2, payload=payload, original=original)
        )


def of(*doubles: type[Double]) -> pytest.MarkDecorator:
    """Run with each of these services."""
    return pytest.mark.parametrize("caller", doubles, indirect=True, ids=lambda one: one.__name__)


def a_caller(request: pytest.FixtureRequest) -> Iterator[Caller]:
    """For a fixture named ``caller``."""
    double = request.param()
    with double.connected() as connector:
        yield Caller(double, connector)
