"""The database goes away around the intent and around the result (R1, FAULTS 16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError, connection, transaction

from once_delivery.config.database import libpq
from once_delivery.ledger.models import Action, Attempt, Batch, Lane, Receipt
from once_delivery.ledger.services import perform_group as module
from once_delivery.ledger.services import recorder
from once_delivery.ledger.services.perform_group import SendingInTransactionError
from once_delivery.ledger.services.record_answers import record_answers
from once_delivery.targets.base import Answer, EffectRequest
from tests.builders import actions_of, the_action
from tests.fakes.connector import FakeTarget
from tests.fakes.rival import run_after, run_before
from tests.ledger.given import a_batch_of, perform

pytestmark = pytest.mark.django_db(transaction=True)
COMMIT = "django.db.backends.base.base.BaseDatabaseWrapper._commit"
CLAIM = "once_delivery.ledger.services.perform_group.claim_group"
RECORD = "once_delivery.ledger.services.recorder.record_answers"


@pytest.fixture(autouse=True)
def a_fresh_connection() -> Iterator[None]:
    """What a test has broken does not reach the next one."""
    yield
    connection.close()


def another_connection() -> psycopg.Connection:
    return psycopg.connect(libpq(connection.settings_dict), autocommit=True)


def cut() -> None:
    """The server ends this test's connection."""
    assert connection.connection is not None
    with another_connection() as other:
        other.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])


def cut_and_say_so() -> None:
    cut()
    raise OperationalError("server closed the connection unexpectedly")


def at_the_commit_of(monkeypatch: pytest.MonkeyPatch, place: str, *, committed: bool) -> None:
    """The connection is lost during the COMMIT that ``place`` makes: before the server heard it, or after."""

    def arm() -> None:
        if committed:
            run_after(monkeypatch, COMMIT, cut_and_say_so)
        else:
            run_before(monkeypatch, COMMIT, cut)

    run_before(monkeypatch, place, arm)


def finish(batch: Batch, fake: FakeTarget, rounds: int = 5) -> None:
    for _ in range(rounds):
        Action.objects.filter(state="planned").update(next_step_at="2000-01-01T00:00:00Z")
        perform(batch, fake)


GUARDS = [{"guard": "lookup"}, {"guard": "none", "look_up": False}]


@pytest.mark.parametrize("committed", [False, True], ids=["lost before", "lost after"])
@pytest.mark.parametrize("profile", GUARDS, ids=lambda profile: profile["guard"])
def test_nothing_is_sent_when_the_commit_of_the_intent_is_unknown(
    profile: dict[str, object], committed: bool, fake: FakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R1; and what was not sent needs no look-up and no person, with any guard."""
    batch = a_batch_of(3, **profile)
    at_the_commit_of(monkeypatch, CLAIM, committed=committed)

    with pytest.raises(OperationalError):
        perform(batch, fake)

    connection.close()
    assert fake.creates == []
    assert [action.state for action in actions_of(batch)] == ["planned"] * 3
    assert Attempt.objects.count() == (3 if committed else 0)
    assert not Lane.objects.filter(held_until__isnull=False).exists()

    finish(batch, fake)

    assert [action.state for action in actions_of(batch)] == ["confirmed"] * 3
    assert len(fake.creates) == 3


@pytest.mark.parametrize("committed", [False, True], ids=["lost before", "lost after"])
def test_an_answer_is_recorded_once_when_the_commit_of_the_result_is_unknown(
    committed: bool, fake: FakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R8: it is recorded again, and twice adds nothing."""
    batch = a_batch_of(3)
    at_the_commit_of(monkeypatch, RECORD, committed=committed)

    perform(batch, fake)

    assert [(action.state, action.result_id) for action in actions_of(batch)] == [
        ("confirmed", fake.ids(action.marker)[0]) for action in actions_of(batch)
    ]
    assert (len(fake.creates), Receipt.objects.count()) == (3, 3)


def test_nothing_is_sent_when_the_request_cannot_be_built(
    fake: FakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database goes away between the claim and the send: nothing left, and it is known."""
    batch = a_batch_of(2, guard="none", look_up=False)
    run_before(monkeypatch, "once_delivery.ledger.services.perform_group.prepare", cut_and_say_so)

    perform(batch, fake)

    assert fake.creates == []
    assert [(action.state, action.releases) for action in actions_of(batch)] == [("planned", 1)] * 2


def test_the_database_may_be_away_for_a_while_after_the_send(
    fake: FakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R8: the answer is held until it can be written."""
    batch = a_batch_of()
    real, failures = record_answers, iter([True] * 3)

    def away(*args: object, **kwargs: object) -> object:
        if next(failures, False):
            raise OperationalError("the database system is starting up")
        return real(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(recorder, "record_answers", away)
    monkeypatch.setattr("time.sleep", lambda _: None)

    perform(batch, fake)

    assert (the_action(batch).state, len(fake.creates)) == ("confirmed", 1)


def test_what_cannot_be_recorded_at_all_is_at_least_in_the_log(
    fake: FakeTarget, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """R8: a result that only this process knows."""
    batch = a_batch_of()
    monkeypatch.setattr(module, "RECORD_FOR_S", 0.0)
    monkeypatch.setattr("time.sleep", lambda _: None)

    def away(*args: object, **kwargs: object) -> object:
        raise OperationalError("the database system is shutting down")

    monkeypatch.setattr(recorder, "record_answers", away)

    perform(batch, fake)

    (lost,) = [record for record in caplog.records if record.message.startswith("answer given up")]
    assert lost.__dict__["marker"] == the_action(batch).marker
    assert (lost.__dict__["outcome"], lost.__dict__["result_id"]) == ("done", "obj-1")


def seen_by_others(check: Callable[[psycopg.Connection, EffectRequest], None]) -> Callable[..., Answer]:
    def script(target: FakeTarget, request: EffectRequest) -> Answer:
        with another_connection() as other:
            check(other, request)
        return target.create(request)

    return script


def test_the_intent_is_committed_before_the_first_byte_leaves(fake: FakeTarget) -> None:
    """R1: every other connection sees it while the request is on its way."""
    batch = a_batch_of(3)
    rows: list[tuple[object, ...]] = []

    def check(other: psycopg.Connection, request: EffectRequest) -> None:
        rows.extend(
            other.execute(
                "SELECT a.state, t.token = a.lease_token, a.lease_until > now() FROM ledger_action a "
                "JOIN ledger_attempt t ON t.action_id = a.id WHERE a.marker = %s",
                [request.marker],
            ).fetchall()
        )

    fake.scripted = [seen_by_others(check)] * 3

    perform(batch, fake)

    assert rows == [("sending", True, True)] * 3


def test_sending_inside_a_transaction_is_refused(fake: FakeTarget) -> None:
    """R1: the intent would not be committed; not even a lease is taken."""
    batch = a_batch_of()

    with transaction.atomic():
        with pytest.raises(SendingInTransactionError):
            perform(batch, fake)
        assert Attempt.objects.count() == 0

    assert (the_action(batch).state, fake.creates) == ("planned", [])


def test_sending_without_autocommit_is_refused(fake: FakeTarget) -> None:
    """R1: somebody else's unfinished transaction is no less open for having no block."""
    batch = a_batch_of()
    transaction.set_autocommit(False)
    try:
        with pytest.raises(SendingInTransactionError):
            perform(batch, fake)
    finally:
        transaction.rollback()
        transaction.set_autocommit(True)

    assert (the_action(batch).state, fake.creates) == ("planned", [])
    assert settings.DATABASES["default"]["ATOMIC_REQUESTS"] is False
