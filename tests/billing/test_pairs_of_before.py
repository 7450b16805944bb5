"""Books of before, in which an asset had one row, are brought up to date: rows of pairs, and no decision is lost."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from billing.models import Duplicate, DuplicateDecision
from billing.services.pull_duplicates import pull_duplicates
from billing.services.pull_units import pull_units
from once_delivery.accounts.models import User
from once_delivery.review.models import Asset
from tests.billing.deliveries import at
from tests.billing.raw_rows import inserted, sql
from tests.billing.test_groups_that_meet import accepted_as
from tests.billing.test_units import assets, counted, said
from tests.billing.world import a_keeper, a_project_with_books

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE = [("billing", "0017_index_of_undetermined_costs")]


def a_row_of_before(asset: Asset, survivor: Asset, status: str, when: datetime, by: User | None) -> int:
    return inserted(
        "billing_duplicate",
        project_id=asset.project_id,
        asset_id=asset.pk,
        survivor_id=survivor.pk,
        status=status,
        certain_by="",
        cause="client_duplicate",
        record=f"{status} {when:%d}",
        found_at=when,
        decided_by_id=by.pk if by else None,
        decided_at=when if by else None,
    )


def test_rows_of_assets_become_rows_of_pairs() -> None:
    project = a_project_with_books()
    finance = a_keeper(project)
    a, b, c, d, e, f, g = assets(project, *"abcdefg")
    said(finance, c, b)
    said(finance, c, a)
    executor = MigrationExecutor(connection)
    now = executor.loader.graph.leaf_nodes()
    executor.migrate(BEFORE)
    assert sql("SELECT asset_id, survivor_id FROM billing_duplicate") == [(c.pk, a.pk)]
    sql("DELETE FROM billing_duplicate")

    a_row_of_before(b, a, "decided", at(15), finance)
    a_row_of_before(c, a, "decided", at(15), finance)
    a_row_of_before(d, e, "dismissed", at(15), finance)  # the earlier one was named first
    mirrored = a_row_of_before(e, d, "decided", at(16), finance)  # and both had a row about the other
    promoted = a_row_of_before(g, f, "promoted", at(15), finance)
    sql("UPDATE billing_duplicate SET follows_id = %s WHERE id = %s", mirrored, promoted)
    then = b.draft
    accepted_as(b, "another", 17)
    MigrationExecutor(connection).migrate(now)

    pairs = Duplicate.objects.order_by("asset")
    assert [(one.asset, one.survivor, one.status) for one in pairs] == [
        (b, a, "decided"),
        (c, a, "decided"),
        (e, d, "decided"),
        (g, f, "decided"),
    ]
    kept = DuplicateDecision.objects.filter(duplicate__asset=e).order_by("at")
    assert [(one.status, one.record, one.decided_by) for one in kept] == [
        ("dismissed", "dismissed 15", finance),
        ("decided", "decided 16", finance),
    ]
    assert pairs[3].follows == pairs[2]
    assert (pairs[0].asset_draft, pairs[0].survivor_draft) == (then, a.draft)
    pull_units(project=project)
    assert counted(project) == [a.pk, d.pk, f.pk]
    assert pull_duplicates(project=project).suggested == 1  # the text of b is another since
    assert counted(project) == [a.pk, b.pk, d.pk, f.pk]


def test_what_was_called_two_and_made_one_by_others_is_asked_about() -> None:
    project = a_project_with_books()
    finance = a_keeper(project)
    a, b, c = assets(project, *"abc")
    executor = MigrationExecutor(connection)
    now = executor.loader.graph.leaf_nodes()
    executor.migrate(BEFORE)
    sql("ALTER TABLE billing_duplicate DISABLE TRIGGER USER")
    a_row_of_before(b, a, "decided", at(15), finance)
    a_row_of_before(c, b, "promoted", at(15), finance)
    a_row_of_before(a, c, "dismissed", at(14), finance)
    sql("ALTER TABLE billing_duplicate ENABLE TRIGGER USER")
    MigrationExecutor(connection).migrate(now)
    asked = Duplicate.objects.get(status="suggested")
    assert (asked.asset, asked.survivor, asked.reopened) == (c, a, "others")
    said_of_it = asked.decisions.order_by("pk").values_list("status", "record", "decided_by")
    assert list(said_of_it) == [("dismissed", "dismissed 14", finance.pk), ("suggested", "", None)]
