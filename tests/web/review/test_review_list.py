"""The list of drafts: one a task, by product, with its state; filters in the address; paging by key."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext

from once_delivery.accounts.models import Role, User
from once_delivery.ledger.models import Action, Batch, Product, Task
from once_delivery.ledger.services.note_duplicate import note_duplicate
from once_delivery.web.selectors import review_list
from tests.fakes.connector import FakeTarget
from tests.ledger.given import ACTOR
from tests.web.conftest import World, signed_in
from tests.web.pages import read
from tests.web.review.given import address, edit, opened


def shown(browser: Browser, path: str = "/review/") -> list[str]:
    """The tasks on the page, as (product locale)."""
    rows = browser.get(path).context["page"].rows
    return [f"{row.task.product.code} {row.task.locale}" for row in rows]


def accept(browser: Browser, task: Task) -> None:
    data = {"do": "accept", "content_hash": opened(browser, address(task))}
    assert browser.post(address(task), data).status_code == 302


def test_one_card_a_task_by_product(browser: Browser, tasks: list[Task], world: World) -> None:
    rows = shown(browser)
    assert rows[1:] == ["pot de-DE", "pot en-US", "pot fr-FR", "pot it-IT", "pot zh-CN", "urn de-DE"]
    assert rows[0].split()[0] == world.action("confirmed").task.product.code
    html = browser.get("/review/").content.decode()
    assert "7 drafts wait for a decision" in html
    assert "Sent pot de-DE" in html  # what was sent, until somebody has read the target's


def test_a_duplicate_is_a_strip_with_both_ids_and_no_second_card(browser: Browser, tasks: list[Task]) -> None:
    action = Action.objects.get(task=tasks[0])
    note_duplicate(
        action_id=action.pk, result_ids=[action.result_id, "d-extra"], reason="found-many", actor=ACTOR
    )
    for path in ("/review/", "/review/?view=grid"):
        html = browser.get(path).content.decode()
        assert f"{' · '.join(sorted([action.result_id, 'd-extra']))}" in html
        assert shown(browser, path).count("pot de-DE") == 1
    assert "holds this draft more than once" in browser.get(address(tasks[0])).content.decode()


def test_states(browser: Browser, tasks: list[Task], fake: FakeTarget) -> None:
    accept(browser, tasks[0])
    accept(browser, tasks[1])
    data = {"do": "changes", "content_hash": opened(browser, address(tasks[2])), "reason": "tone"}
    browser.post(address(tasks[2]), data)
    edit(fake, tasks[1])
    browser.get(address(tasks[1]))  # whoever looks, sees that it is another text

    assert shown(browser, "/review/?state=accepted") == ["pot de-DE"]
    assert shown(browser, "/review/?state=changed") == ["pot en-US"]
    assert shown(browser, "/review/?state=changes") == ["pot fr-FR"]
    assert shown(browser, "/review/?state=rejected") == []
    assert "pot en-US" in shown(browser)
    assert "pot de-DE" not in shown(browser)
    assert len(shown(browser, "/review/?state=all")) == 7


def test_filters_are_in_the_address(browser: Browser, tasks: list[Task], world: World) -> None:
    product = Product.objects.get(code="urn", project=world.project)
    winter = Batch.objects.get(name="winter")
    assert shown(browser, f"/review/?product={product.pk}") == ["urn de-DE"]
    assert shown(browser, "/review/?locale=fr-FR") == ["pot fr-FR"]
    assert len(shown(browser, f"/review/?batch={winter.uuid}")) == 6
    assert len(shown(browser, "/review/?purpose=product-page")) == 6
    assert shown(browser, "/review/?project=borealis") == []
    for nonsense in ("product=x", "batch=7", "batch=x&product=9999999999999999999"):
        assert shown(browser, f"/review/?{nonsense}") == []
    assert len(shown(browser, "/review/?state=nonsense&seen=x&view=y&after=z")) == 7


def test_what_changed_since_i_looked(
    browser: Browser, tasks: list[Task], fake: FakeTarget, world: World
) -> None:
    browser.get(address(tasks[0]))
    assert shown(browser, "/review/?seen=changed") == []
    edit(fake, tasks[0])
    signed_in(world.people[Role.ADMIN]).get(address(tasks[0]))
    assert shown(browser, "/review/?seen=changed") == ["pot de-DE"]
    assert "has changed since you looked" in browser.get(address(tasks[0])).content.decode()
    assert shown(browser, "/review/?seen=changed") == []


def test_pages_by_key(browser: Browser, tasks: list[Task], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shown(browser)
    monkeypatch.setattr(review_list, "PAGE", 3)
    found, key = [], ""
    for _ in range(3):
        page = browser.get("/review/", {"after": key}).context["page"]
        found += [f"{row.task.product.code} {row.task.locale}" for row in page.rows]
        key = page.next_key
    assert (found, key) == (whole, "")


def test_more_than_anybody_counts(
    browser: Browser, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_list, "COUNTED_MOST", 3)
    answer = browser.get("/review/")
    page = answer.context["page"]
    assert (page.total, page.more, page.counts["waits"], len(page.rows)) == (3, True, 4, 7)
    assert '<span class="chip__n">3+</span>' in answer.content.decode()
    assert '<span class="chip__n">0</span>' in answer.content.decode()


@pytest.mark.parametrize("path", ["/review/", "/review/?view=grid&state=all"])
def test_the_number_of_queries_does_not_grow(browser: Browser, tasks: list[Task], path: str) -> None:
    browser.get(address(tasks[0]))

    def queries(narrow: str) -> int:
        with CaptureQueriesContext(connection) as caught:
            browser.get(f"{path}{'&' if '?' in path else '?'}{narrow}")
        return len(caught)

    queries("")
    assert queries("locale=de-DE") == queries("") <= 20


def test_who_does_not_decide_reads(tasks: list[Task], world: World) -> None:
    html = signed_in(world.vic).get("/review/").content.decode()
    assert "Sent pot de-DE" in html
    assert "Accept the chosen" not in html
    assert "Your role reads" in " ".join(read(signed_in(world.vic).get(address(tasks[0])).content.decode()))


def test_nothing_of_another_tenant(tasks: list[Task], world: World) -> None:
    """R14"""
    assert "pot" not in " ".join(shown(signed_in(world.charlie)))
    stranger = User.objects.get(username="charlie")
    assert signed_in(stranger).get(address(tasks[0])).status_code == 404
