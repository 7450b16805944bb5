"""Two at the same moment: each source is posted once, and nothing is posted in a month while it is closed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Barrier, Event
from time import sleep

import pytest
from django.db import connection, transaction

from billing.locking import lock_books
from billing.models import Books, Cause, CostEntry, EntryProposal
from billing.proposing import NoProposalError
from billing.refusals import PostingRefusedError
from billing.services.change_entry import agree_to_change, change_entry
from billing.services.close_period import close_period
from billing.services.hold_period import hold_period
from billing.services.judge_cause import judge_cause
from billing.services.post_entries import post_entries
from billing.services.verify_costs import verify_costs
from billing.two_people import SecondPersonNeededError
from tests.billing.deliveries import at, delivered, tasks_of
from tests.billing.world import SEPTEMBER, a_cost, a_keeper, a_project_with_books, posted


def at_once(*acts: Callable[[], object]) -> list[object]:
    """What each returned, or the code of its refusal."""
    start = Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        try:
            start.wait()
            return act()
        except PostingRefusedError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.mark.django_db(transaction=True)
def test_two_pulls_post_each_source_once_and_a_close_waits_for_what_is_being_posted() -> None:
    project = a_project_with_books()
    finance = a_keeper(project)

    def pull() -> int:
        entries = [
            a_cost(project, source_key=f"usage:{number}", cause="client_change") for number in range(200)
        ]
        return post_entries(entries=entries, actor="pull").posted

    assert sum(int(str(count)) for count in at_once(pull, pull, pull)) == 200
    hold_period(project=project, month=SEPTEMBER, user=finance)
    outcomes = at_once(
        lambda: close_period(project=project, month=SEPTEMBER, user=finance).certificate["posted"]["cost"],
        lambda: post_entries(entries=[a_cost(project, "1.00", posted=SEPTEMBER)], actor="finance").posted,
    )
    assert outcomes in (["801.000000", 1], ["800.000000", "period-closed"])
    in_september = CostEntry.objects.filter(posted_period=SEPTEMBER)
    assert Decimal(str(outcomes[0])) == sum(entry.amount for entry in in_september)
    assert verify_costs(project=project).broken == ()


@pytest.mark.django_db(transaction=True)
def test_who_agrees_waits_for_the_books_before_they_hold_a_proposal() -> None:
    """Else they would hold the proposal and want the books, and who posts would hold the books and want the proposal."""
    project = a_project_with_books()
    fay, zoe = a_keeper(project, "fay"), a_keeper(project, "zoe")
    entry = posted(project, "9000.00", cause="client_change")
    Books.objects.filter(project=project).update(two_people_above=5)
    waits = change_entry(entry=entry, change="reverse", to="", words="billed twice", user=fay)
    assert waits is not None
    books_taken, asked = Event(), Event()

    def post() -> str:
        with transaction.atomic():
            lock_books([project.pk])
            books_taken.set()
            asked.wait(5)
            sleep(0.5)  # until the other one waits for the books
            EntryProposal.objects.filter(entry=entry).delete()
        return "posted"

    def agree() -> str:
        books_taken.wait(5)
        asked.set()
        try:
            agree_to_change(entry=entry, user=zoe, seen=waits.proposed_at.isoformat())
        except NoProposalError as error:
            return error.code
        return "agreed"

    assert at_once(post, agree) == ["posted", "no-proposal"]


@pytest.mark.django_db(transaction=True)
def test_the_limit_for_one_person_counts_what_is_being_posted() -> None:
    project = a_project_with_books()
    fay = a_keeper(project, "fay")
    task = tasks_of(project, ("kettle", 1))[0]
    place = {"task_id": task.pk, "attempt_id": delivered(task, at(3)).pk}
    posted(project, "4.00", **place)
    books_taken = Event()

    def post() -> str:
        with transaction.atomic():
            lock_books([project.pk])
            books_taken.set()
            sleep(0.5)  # until the other one waits for the books
            posted(project, "9000.00", **place)
        return "posted"

    def judge() -> str:
        books_taken.wait(5)
        try:
            judge_cause(project=project, about=task, cause=Cause.VENDOR_FAULT, record="mail", user=fay)
        except SecondPersonNeededError as error:
            return error.code
        return "judged"

    assert at_once(post, judge) == ["posted", "second-person-needed"]
