"""Two at the same moment: each source is posted once, and nothing is posted in a month while it is closed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Barrier

import pytest
from django.db import connection

from billing.models import CostEntry
from billing.refusals import PostingRefusedError
from billing.services.close_period import close_period
from billing.services.hold_period import hold_period
from billing.services.post_entries import post_entries
from billing.services.verify_costs import verify_costs
from tests.billing.world import SEPTEMBER, a_cost, a_keeper, a_project_with_books


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
