"""The probe holds a profile from documentation against a double: it refutes nothing that the documentation says."""

from __future__ import annotations

import pytest

from once_delivery.ledger.probe_turns import GateTurns
from once_delivery.targets.models import Measurement, ProbeStatus
from once_delivery.targets.probing.extent import Extent
from once_delivery.targets.rest.profiles import ready_profile
from once_delivery.targets.services.probe_target import probe_target
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_project
from tests.fakes.scripted_server import serving
from tests.targets.saas.contentful import Contentful
from tests.targets.saas.double import Double
from tests.targets.saas.drupal import Drupal
from tests.targets.saas.sanity import Sanity
from tests.targets.saas.shopify import Shopify

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = {"deadline_s": 3.0, "settle_s": 1.0, "concurrency": 8, "rate_per_s": None, "index_lag_s": 0.5}


def probed(double: Double, **values: str) -> dict[str, Measurement]:
    ready = ready_profile(double.name, **{**double.values, **values})
    with serving(double) as server:
        target = save_target(
            project=a_project(),
            name="cms",
            kind="rest",
            base_url=server.url,
            declaration=ready.declaration,
            profile={**ready.profile, **TIMES},
            credentials=double.credentials,
            allow_inside=True,
            is_test=True,
        )
        probe = probe_target(
            target=target,
            extent=Extent(rounds=2, looks=3, wait_s=0.6),
            turns=lambda profile: GateTurns(target, profile),
        )
    assert probe.status == ProbeStatus.FINISHED
    return {one.claim: one for one in probe.measurements.all()}


@pytest.mark.parametrize(
    ("kind", "confirmed"),
    [
        (Contentful, {"guard", "second_create", "at_once", "other_content", "update_existing"}),
        (Sanity, {"guard", "look_up", "consistency", "update_existing"}),
        (Shopify, {"guard", "look_up", "consistency", "index_lag_s"}),
        (Drupal, {"guard", "second_create", "at_once", "other_content"}),
    ],
)
def test_what_the_documentation_says_is_confirmed(kind: type[Double], confirmed: set[str]) -> None:
    double = kind()
    found = probed(double)
    assert double.held() == []  # what it made is removed
    assert {claim for claim, one in found.items() if one.verdict == "refuted"} == set()
    always = {"absence", "stays_draft", "removed"}
    assert (confirmed | always) <= {claim for claim, one in found.items() if one.verdict == "confirmed"}
    assert ("update_existing" in confirmed) == (found["update_existing"].verdict == "confirmed")


def test_a_contentful_that_writes_over_entries_is_found_out() -> None:
    double = Contentful()
    double.overwrites = True
    assert probed(double)["other_content"].verdict == "refuted"


def test_a_drupal_that_publishes_by_default_is_found_out() -> None:
    found = probed(Drupal(), unpublished_by="content_type_default")
    assert found["stays_draft"].verdict == "refuted"
