"""WordPress 6.1.9 when its workers are slow or die: on the connector, and through the ledger."""

from __future__ import annotations

import time
from typing import Any

import pytest

from once_delivery.ledger.models import Action, Attempt, Batch
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from once_delivery.targets.base import Kind, Outcome, Verdict
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_batch, a_delivery, a_project, the_action
from tests.real.systems.wordpress import WordPressServer
from tests.real.targets.asking import Asker, a_marker, at_once
from tests.real.targets.wordpress_system import WordPressSystem

pytestmark = pytest.mark.real
DRAFT = Kind.CREATE_DRAFT
SLOW_S = 5
AT_ONCE = 8


@pytest.fixture(params=[Guard.CLIENT_ID, Guard.LOOKUP], ids=["plugin", "plain"])
def system(request: pytest.FixtureRequest, wordpress: WordPressServer) -> WordPressSystem:
    return WordPressSystem(wordpress, request.param)


def a_slow_batch(system: WordPressSystem, **times: Any) -> Batch:
    """One draft at a target whose sender gives up after a second."""
    project = a_project()
    way = system.connection()
    numbers = {
        **default_profiles("wordpress")[system.guard].numbers,
        "deadline_s": 1.0,
        "look_up_every_s": 0.3,
    }
    save_target(
        project=project,
        name="cms",
        kind="wordpress",
        base_url=way.base_url,
        declaration=way.declaration,
        profile={**numbers, **times},
        credentials=way.credentials,
        allow_inside=True,
    )
    draft = ActionRequest("cms", DRAFT, "main", system.payload(DRAFT, f"Kessel {a_marker()}"))
    return a_batch(project, a_delivery("kettle", actions=(draft,)))


@pytest.mark.django_db(transaction=True)
def test_a_slow_insert_that_nobody_waits_for_ends_in_one_draft(system: WordPressSystem) -> None:
    """The caller gives up after a second, the insert comes after five."""
    batch = a_slow_batch(system, settle_s=SLOW_S + 2)
    system.site.fault("before", f"sleep:{SLOW_S}")
    begun = time.monotonic()
    resume_batch(batch=batch, wait_s=30)
    time.sleep(max(0.0, SLOW_S + 2 - (time.monotonic() - begun)))
    action = the_action(batch)
    (held,) = system.held(DRAFT, action.marker)
    assert (action.state, action.result_id, system.site.faults_left()) == (
        State.CONFIRMED,
        held.result_id,
        [],
    )
    # under the index a second request is harmless and made at once; without it the settle time is waited for
    assert Attempt.objects.count() == (2 if system.guard == Guard.CLIENT_ID else 1)


@pytest.mark.django_db(transaction=True)
def test_without_the_settle_time_there_would_be_two(wordpress: WordPressServer) -> None:
    """What the number is for; and that the count after a recovery finds them both."""
    system = WordPressSystem(wordpress, Guard.LOOKUP)
    batch = a_slow_batch(system, settle_s=0.1)
    system.site.fault("before", f"sleep:{SLOW_S}")
    resume_batch(batch=batch, wait_s=3)
    action = the_action(batch)
    assert action.state == State.CONFIRMED
    time.sleep(SLOW_S)
    assert len(system.held(DRAFT, action.marker)) == 2
    look = Asker(system)
    assert look.look(DRAFT, action.marker).verdict == Verdict.FOUND_MANY
    look.connector.close()
    assert Action.objects.get().result_id in {one.result_id for one in system.held(DRAFT, action.marker)}


@pytest.mark.parametrize("kind", [DRAFT, Kind.UPLOAD_FILE], ids=str)
@pytest.mark.parametrize(("point", "there"), [("before", 0), ("after", 1)])
def test_a_worker_that_dies(
    asker: Asker, system: WordPressSystem, kind: Kind, point: str, there: int
) -> None:
    marker = a_marker()
    system.site.fault(point, "die")
    answer = asker.perform(kind, marker, title=marker)
    assert (answer.outcome, answer.code) == (Outcome.UNKNOWN, "http-502"), answer
    assert len(system.held(kind, marker)) == there
    look = asker.look(kind, marker, title=marker)
    assert look.verdict == (Verdict.FOUND if there else Verdict.ABSENT)
    again = asker.perform(kind, marker, title=marker)
    if system.guard == Guard.CLIENT_ID:
        assert again.outcome == (Outcome.EXISTS if there else Outcome.DONE)
        assert len(system.held(kind, marker)) == 1


def test_a_plugin_without_its_index_makes_nothing(wordpress: WordPressServer) -> None:
    system = WordPressSystem(wordpress, Guard.CLIENT_ID)
    asker, marker = Asker(system), a_marker()
    system.site.rows("ALTER TABLE wp_posts DROP KEY once_marker")
    try:
        answer = asker.perform(DRAFT, marker)
        look = asker.look(DRAFT, marker)
        lines = asker.connector.check()
    finally:
        system.site.rows("ALTER TABLE wp_posts ADD UNIQUE KEY once_marker (once_marker)")
    assert (answer.outcome, answer.detail.partition(":")[0]) == (Outcome.REFUSED, "once_not_ready")
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "http-422")
    assert ("plugin", "plugin-not-ready") in [(line.name, line.code) for line in lines]
    assert system.held(DRAFT, marker) == []
    asker.connector.close()


def test_a_plugin_that_is_not_there(wordpress: WordPressServer) -> None:
    system = WordPressSystem(wordpress, Guard.LOOKUP)
    system.declaration["plugin"] = True
    asker, marker = Asker(system), a_marker()
    answer = asker.perform(DRAFT, marker)
    assert (answer.outcome, answer.http_status) == (Outcome.REFUSED, 404)
    assert (asker.look(DRAFT, marker).verdict, system.held(DRAFT, marker)) == (Verdict.CANNOT_TELL, [])
    assert ("plugin", "plugin-missing") in [(line.name, line.code) for line in asker.connector.check()]
    asker.connector.close()


def test_the_losers_of_a_race_leave_no_file_behind(wordpress: WordPressServer) -> None:
    system = WordPressSystem(wordpress, Guard.CLIENT_ID)
    asker, marker = Asker(system), a_marker()
    answers = at_once(AT_ONCE, lambda _: asker.perform(Kind.UPLOAD_FILE, marker))
    assert Outcome.DONE in {one.outcome for one in answers}
    # the winner's own; a picture this small gets no smaller ones
    assert len(list((system.site.content / "uploads").rglob(f"{marker}*"))) == 1
    asker.connector.close()
