"""How often PostgreSQL is asked whether an action awaits a look after a restore: at most a few times each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection, transaction

from once_delivery.ledger.services import doubt
from once_delivery.ledger.services.restore_ledger import end_restorations, open_restoration
from tests.builders import actions_of
from tests.fakes.clock import DatabaseClock
from tests.ledger.given import ACTOR, a_batch_of

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 30


_COUNTED = """
CREATE SEQUENCE asked;
ALTER FUNCTION once_awaits_look RENAME TO once_awaits_look_itself;
CREATE FUNCTION once_awaits_look(action bigint, made timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM nextval('asked');
    RETURN once_awaits_look_itself(action, made);
END $$;
"""


@contextmanager
def questions() -> Iterator[list[int]]:
    """What it yields holds afterwards how often ``once_awaits_look`` was called inside; nothing of that is kept."""
    counted: list[int] = []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_COUNTED)
        yield counted
        cursor.execute("SELECT nextval('asked') - 1")
        counted.append(int(cursor.fetchone()[0]))
        transaction.set_rollback(True)


def test_what_was_doubted_is_not_gone_through_again_with_each_group(
    clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doubt, "AT_ONCE", 2)
    a_batch_of(MANY)
    with questions() as asked:
        opened = open_restoration(since=clock.now() - timedelta(hours=1), actor=ACTOR)
    assert opened.doubted == MANY
    assert asked[0] <= 6 * MANY


def test_what_came_after_the_last_restoration_is_not_asked_about_one_by_one(clock: DatabaseClock) -> None:
    open_restoration(since=clock.now() - timedelta(hours=1), actor=ACTOR)
    end_restorations(actor=ACTOR)
    target_id = actions_of(a_batch_of(MANY))[0].target_id
    with questions() as asked:
        assert doubt.doubt_due(target_id=target_id, actor=ACTOR) == 0
    assert asked == [0]
