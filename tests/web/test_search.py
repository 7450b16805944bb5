"""Search: by what people have in hand, own projects alone, by an index."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from once_delivery.ledger.models import Attempt, Run, Title
from once_delivery.web.selectors.found import MOST
from once_delivery.web.selectors.search import Found, search
from once_delivery.web.selectors.uuids import uuid_range
from tests.builders import a_batch, a_delivery, a_draft
from tests.web.conftest import World, signed_in
from tests.web.pages import read


def names(found: Found) -> list[str]:
    return [hit.name for group in found.groups for hit in group.hits]


def test_each_kind_of_thing_is_found(world: World) -> None:
    confirmed = world.action("confirmed")
    asked = {
        confirmed.result_id: confirmed.result_id,
        confirmed.result_id[:4]: confirmed.result_id,
        confirmed.marker: confirmed.marker,
        "手冲": "手冲壶",
        "KETTLE": "手冲壶",
        "秋季": "秋季上新",
        "autumn.x": "秋季上新",
        "n8n-48": "n8n-48213",
        str(world.case.uuid): str(world.case.uuid),
        str(world.case.uuid)[:5]: str(world.case.uuid),
        str(confirmed.task.uuid): str(confirmed.task.uuid),
    }
    missed = {query for query, name in asked.items() if name not in names(search(world.alice, query))}
    assert missed == set()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("冲壶 en", True),
        ("手冲壶 en-US", True),
        ("手冲壶 fr", False),
        ("壶冲", False),
        ("壶", True),
        ("' | '", False),
        ("露营灯\\", True),
    ],
)
def test_titles_are_found_by_words_and_pairs_of_characters(world: World, query: str, found: bool) -> None:
    groups = {group.title: group for group in search(world.alice, query).groups}
    assert ("Titles" in groups) is found


def test_what_is_exact_stands_first(world: World) -> None:
    a_batch(world.project, a_delivery("lamp-2", product_name="秋季上新灯"), name="秋季上新 2")
    first, *_rest = search(world.alice, "秋季上新").groups
    assert (first.hits[0].name, first.hits[0].exact) == ("秋季上新", True)
    assert [hit.exact for hit in first.hits] == [True, False]


def test_nothing_of_another_tenant_is_found(world: World) -> None:
    """The other tenant has a batch, products and titles of the same names, and no run."""
    confirmed = world.action("confirmed")
    for query in (confirmed.result_id, confirmed.marker, "n8n", str(world.case.uuid), str(world.batch.uuid)):
        assert search(world.charlie, query).groups == []
    for query in ("手冲壶", "秋季上新", "kettle"):
        found = search(world.charlie, query)
        assert found.count
        assert {hit.project for group in found.groups for hit in group.hits} == {"北极"}
        assert search(world.nobody, query).groups == []


def test_at_most_so_many_of_a_group_and_it_says_that_there_are_more(world: World) -> None:
    a_batch(
        world.project, *(a_delivery(f"mug-{n}", actions=(a_draft(title="Mug"),)) for n in range(MOST + 3))
    )
    for group in search(world.alice, "mug").groups:
        assert (len(group.hits), group.more) == (MOST, True)


def test_the_number_of_queries_does_not_grow(world: World) -> None:
    def asked(query: str) -> int:
        with CaptureQueriesContext(connection) as caught:
            search(world.alice, query)
        return len(caught)

    few = asked("手冲壶")
    a_batch(
        world.project, *(a_delivery(f"pot-{n}", product_name=f"手冲壶 {n}") for n in range(40)), name="more"
    )
    assert asked("手冲壶") == few
    assert few <= 20


def test_a_run_without_a_batch_leads_to_a_task_that_it_touched(world: World) -> None:
    attempt = Attempt.objects.filter(project=world.project).order_by("pk")[0]
    Run.objects.filter(pk=attempt.run_id).update(external_id="exec-9", batch=None)
    (group,) = search(world.alice, "exec-9").groups
    (hit,) = group.hits
    assert hit.url in {f"/tasks/{one.action.task.uuid}/" for one in attempt.run.attempts.all()}


def test_a_title_is_kept_with_its_action(world: World) -> None:
    assert Title.objects.filter(project=world.project).count() == 8
    assert Title.objects.get(action=world.action("confirmed")).text == "手冲壶 en-US"


@pytest.mark.parametrize(
    ("sql", "index"),
    [
        ("SELECT 1 FROM ledger_action WHERE project_id IN (1, 2) AND result_id LIKE 'obj-77%%' AND NOT (result_id = '')", "action_by_result"),
        ("SELECT 1 FROM ledger_action WHERE target_id = 1 AND marker = 'once-x'", "action_marker_once_a_target"),
        ("SELECT 1 FROM ledger_title WHERE words @@ '''1:kettle'':*'::tsquery", "title_words"),
        ("SELECT 1 FROM ledger_run WHERE project_id IN (1, 2) AND external_id LIKE 'n8n%%' AND NOT (external_id = '')", "run_by_outside_execution"),
    ],
)  # fmt: skip
def test_the_index_is_one_that_the_search_can_use(db: None, sql: str, index: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        # tables without rows: any index is as good there, so that only this one is left, and what a constraint needs
        cursor.execute(
            "SELECT format('DROP INDEX %%I', i.indexrelid::regclass::text) FROM pg_index i WHERE i.indrelid = ("
            " SELECT n.indrelid FROM pg_index n WHERE n.indexrelid = %s::regclass)"
            " AND i.indexrelid <> %s::regclass AND NOT EXISTS ("
            " SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)",
            [index, index],
        )
        for (drop,) in cursor.fetchall():
            cursor.execute(drop)
        cursor.execute("EXPLAIN " + sql, [])
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert index in plan


@pytest.mark.parametrize("text", ["", "abc", "xyzw", "0" * 33, "----", "②②②②", "ab cd"])
def test_what_begins_no_uuid(text: str) -> None:
    assert uuid_range(text) is None


def test_the_beginning_of_a_uuid_is_a_range() -> None:
    assert uuid_range("ABCD-12") == (
        UUID("abcd1200-0000-0000-0000-000000000000"),
        UUID("abcd12ff-ffff-ffff-ffff-ffffffffffff"),
    )


def test_the_page_says_what_was_found_and_every_page_has_the_box(world: World) -> None:
    browser = signed_in(world.alice)
    html = browser.get("/search/", {"q": world.action("confirmed").result_id}).content.decode()
    assert "exactly this" in " ".join(read(html))
    assert 'role="search"' in browser.get("/cases/").content.decode()
    assert "&lt;b&gt;" in browser.get("/search/", {"q": "<b>"}).content.decode()
