"""What the profiles for Shopify and Sanity send, checked by what the two publish of their query languages.

This says that the services would understand the requests, not what they would do.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from once_delivery.targets.base import EffectRequest, Kind, LookUpRequest
from once_delivery.targets.rest.connector import RestConnector
from tests.real.systems.saas_languages import checked
from tests.targets.saas.sanity import Sanity
from tests.targets.saas.shopify import Shopify

DRAFT = Kind.CREATE_DRAFT
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


def marker(number: int) -> str:
    return f"once-{number:026}"


def own_id(number: int) -> str:
    return f"{number:08}-79c1-545a-8f6d-f941d42ce3e9"


def everything_once(connector: RestConnector) -> None:
    """Each request that a profile knows."""
    for number in range(1, 5):
        payload = {"title": "T", "body": "B"}
        answer = connector.perform(EffectRequest(DRAFT, marker(number), own_id(number), "", payload, 2))
        assert answer.result_id, answer
    connector.look_up(LookUpRequest(DRAFT, marker(1), own_id(1), 2))
    connector.read(kind=DRAFT, result_id=answer.result_id, deadline_s=2)
    (first, *_) = connector.inventory(kind=DRAFT, deadline_s=2)
    list(connector.inventory(kind=DRAFT, deadline_s=2, changed_since=LONG_AGO, after=first.place))
    assert all(line.ok for line in connector.check())


def test_shopify_would_understand_every_request() -> None:
    double = Shopify()
    with double.connected() as connector:
        everything_once(connector)
        (first, *_) = double.products
        connector.remove(kind=DRAFT, result_id=first, deadline_s=2)
    asked = [call.body for call in double.calls]
    assert {
        word
        for one in asked
        for word in ("productSet(", "productDelete(", "products(")
        if word in one["query"]
    }
    assert [mistakes for mistakes in checked(shopify=asked)["shopify"] if mistakes] == []


def test_a_request_that_shopify_would_not_understand_is_found() -> None:
    wrong = {"query": "{ products(first: 1) { edges { node { colour } } } }"}
    ((mistake,),) = checked(shopify=[wrong])["shopify"]
    assert "colour" in mistake


def test_sanity_finds_what_the_double_finds() -> None:
    double = Sanity()
    with double.connected() as connector:
        everything_once(connector)
        double.publish(own_id(2))
        published = double.documents[own_id(2)]
        double.documents[f"drafts.{own_id(2)}"] = {**published, "_id": f"drafts.{own_id(2)}"}
        double.documents[f"versions.r1.{own_id(2)}"] = {**published, "_id": f"versions.r1.{own_id(2)}"}
        double.documents["other"] = {**published, "_id": "other", "_type": "page"}
        double.calls.clear()
        connector.look_up(LookUpRequest(DRAFT, marker(2), own_id(2), 2))
        list(connector.inventory(kind=DRAFT, deadline_s=2, after=own_id(2)))
    queries = [
        {
            "query": call.query["query"],
            "params": {name[1:]: json.loads(text) for name, text in call.query.items() if name[0] == "$"},
            "documents": list(double.documents.values()),
        }
        for call in double.calls
        if "/data/query/" in call.path
    ]
    look_up, behind, *_ = checked(sanity=queries)["sanity"]
    assert set(look_up) == {own_id(2), f"drafts.{own_id(2)}"}
    drafts = [f"drafts.{own_id(number)}" for number in (1, 2, 3, 4)]
    assert behind == drafts
