"""Each night what is old is forgotten, and ``manage.py forget`` does it now; both by the project's rule."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from once_delivery.accounts.access import NotAdminError
from once_delivery.accounts.models import Role
from once_delivery.ledger.models import Forgotten, Task
from once_delivery.ledger.night import night_of
from once_delivery.retention.models import ForgettingRule
from once_delivery.retention.services import nightly
from once_delivery.retention.services.nightly import forget_by_night
from once_delivery.retention.services.set_rule import set_rule
from tests.builders import a_project, a_user
from tests.fakes.clock import DatabaseClock
from tests.retention.given import WORD, a_person, places_of

pytestmark = pytest.mark.django_db(transaction=True)


def a_rule(days: int | None = 90) -> ForgettingRule:
    return set_rule(project=a_project(), after_days=days, user=a_person("boss", Role.ADMIN, a_project()))


def tonight(clock: DatabaseClock) -> datetime:
    """An hour into the night that comes."""
    hour = clock.now().astimezone(UTC)
    while night_of(hour) is None or night_of(hour) == night_of(hour - timedelta(hours=1)):
        hour += timedelta(minutes=30)
    return hour


def test_by_night_and_not_by_day(told: Task, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """However nightly audits are set; a rule is done once a night."""
    monkeypatch.setattr(settings, "NIGHTLY_AUDITS", False)
    a_rule()
    night = tonight(clock)

    assert forget_by_night(now=night - timedelta(hours=6)) == 0
    clock.to(night)
    assert forget_by_night(now=clock.now()) == 1
    ran_at = ForgettingRule.objects.get().ran_at
    assert places_of(WORD) == set()

    assert forget_by_night(now=clock.now()) == 0
    assert ForgettingRule.objects.get().ran_at == ran_at


def test_a_part_at_a_time(told: Task, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nightly, "TASKS_AT_ONCE", 1)
    a_rule()
    clock.to(tonight(clock))

    assert forget_by_night(now=clock.now()) == 1
    assert ForgettingRule.objects.get().ran_at is None, "there may be more"
    assert forget_by_night(now=clock.now()) == 0
    assert ForgettingRule.objects.get().ran_at is not None
    assert places_of(WORD) == set()


def test_the_latest_rule_holds(told: Task, clock: DatabaseClock) -> None:
    a_rule(90)
    a_rule(None)
    clock.to(tonight(clock))

    assert forget_by_night(now=clock.now()) == 0
    assert not Forgotten.objects.exists()
    assert a_rule(None).pk == a_rule(None).pk, "the same again is no change"


def test_nobody_else_sets_it(told: Task) -> None:
    with pytest.raises(NotAdminError):
        set_rule(project=told.project, after_days=30, user=a_user("ops"))
    assert not ForgettingRule.objects.exists()


def test_by_hand(told: Task) -> None:
    assert "keeps everything" in by_hand("--dry-run")
    a_rule()

    said = by_hand("--dry-run")
    assert ("1 task:" in said, "Nothing was changed." in said) == (True, True)
    assert places_of(WORD)

    assert "Forgotten: 1 of 1 tasks." in by_hand()
    assert places_of(WORD) == set()
    with pytest.raises(CommandError):
        call_command("forget", "--project", "none-such")


@pytest.mark.parametrize("most", ["0", "-1", "1.5", "\N{ARABIC-INDIC DIGIT THREE}", "9" * 5000])
def test_by_hand_what_is_no_whole_number_is_refused(most: str) -> None:
    with pytest.raises(CommandError, match="a whole number from 1 on"):
        by_hand("--dry-run", "--most", most)


def by_hand(*options: str) -> str:
    out = StringIO()
    call_command("forget", "--project", "aurora", *options, stdout=out)
    return out.getvalue()
