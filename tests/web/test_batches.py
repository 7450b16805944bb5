"""The list of batches: filters in the address, views that a person keeps, export."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from django.test import Client as Browser

from once_delivery.ledger.models import Batch
from once_delivery.web.models import SavedView
from once_delivery.web.selectors.batch_filter import batch_filter
from once_delivery.web.selectors.batches import PAGE, batch_page
from once_delivery.web.services.saved_views import MOST, TooManyViewsError, filters_of, save_view
from tests.builders import a_batch, a_delivery
from tests.web.conftest import World, signed_in
from tests.web.pages import read


def names(world: World, query: str) -> list[str]:
    page = batch_page(world.alice, chosen=batch_filter(QueryDict(query)), key="")
    return [row.batch.name for row in page.rows]


@pytest.fixture
def winter(world: World) -> Batch:
    return a_batch(world.project, a_delivery("tent", "fr-FR"), name="winter", source_name="w.csv")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["winter", "秋季上新"]),
        ("view=trouble", ["秋季上新"]),
        ("state=refused", ["秋季上新"]),
        ("state=planned", ["winter", "秋季上新"]),
        ("state=cancelled", []),
        ("state=nonsense", ["winter", "秋季上新"]),
        ("product=tent", ["winter"]),
        ("product=tent&locale=de-DE", []),
        ("locale=de-DE", ["秋季上新"]),
        ("q=秋季", ["秋季上新"]),
        ("q=W.CSV", ["winter"]),
        ("project=aurora", ["winter", "秋季上新"]),
        ("project=borealis", []),
        ("q=%00%25", []),
    ],
)
def test_filters_stand_in_the_address(world: World, winter: Batch, query: str, found: list[str]) -> None:
    assert names(world, query) == found


def test_pages_by_key_and_counts(world: World, alice: Browser) -> None:
    for number in range(PAGE + 5):
        a_batch(world.project, a_delivery(f"more-{number}"), name=f"more {number}")
    first = alice.get("/batches/?q=more").context["found"]
    rest = alice.get(f"/batches/?q=more&before={first.page.next_key}").context["found"]
    assert (len(first.rows), first.count, len(rest.rows), rest.count) == (PAGE, PAGE + 5, 5, PAGE + 5)
    assert not {row.batch.pk for row in first.rows} & {row.batch.pk for row in rest.rows}


def test_the_export_has_every_page_of_what_is_shown(world: World, alice: Browser, winter: Batch) -> None:
    for number in range(PAGE + 5):
        a_batch(world.project, a_delivery(f"more-{number}"), name=f"=more {number}")
    response = alice.get("/batches/export.csv?q=more")
    assert response.streaming
    lines = b"".join(response).decode("utf-8-sig").splitlines()
    assert len(lines) == PAGE + 6
    assert lines[0].startswith("Batch,Project,File,Tasks,")
    assert lines[1].startswith(f"'=more {PAGE + 4},aurora,")


def test_a_view_is_kept_shown_renamed_and_deleted(world: World, alice: Browser) -> None:
    response = alice.post(
        "/views/batches/save/", {"name": "Refused lamps", "query": "product=lamp&state=refused&before=9&x=1"}
    )
    assert response["Location"] == "/batches/?product=lamp&state=refused"
    assert "Refused lamps" in alice.get("/batches/").content.decode()
    assert "Refused lamps" not in signed_in(world.vic).get("/batches/").content.decode()

    view = SavedView.objects.get()
    alice.post(f"/views/{view.pk}/", {"name": "Lamps"})
    assert "Lamps" in alice.get("/batches/").content.decode()
    alice.post(f"/views/{view.pk}/", {"delete": "1"})
    assert not SavedView.objects.exists()


def test_a_view_cannot_lead_elsewhere(world: World, alice: Browser) -> None:
    response = alice.post("/views/batches/save/", {"name": "x", "query": "//evil.example/?q=a&next=http://b"})
    assert response["Location"].startswith("/batches/")
    assert "evil" not in response["Location"]
    assert alice.post("/views/users/save/", {"name": "x"}).status_code == 404


def test_names_that_cannot_be_are_told(world: World, alice: Browser) -> None:
    for name in ("", " ", "x" * 61):
        text = " ".join(
            read(alice.post("/views/batches/save/", {"name": name}, follow=True).content.decode())
        )
        assert "A view needs a name of 1 to 60 characters." in text
    one, _other = (save_view(user=world.alice, page="batches", name=name, query="") for name in "ab")
    text = " ".join(read(alice.post(f"/views/{one.pk}/", {"name": "b"}, follow=True).content.decode()))
    assert "There is a view “b” already." in text


def test_a_name_again_takes_the_new_filters_and_there_is_an_end(world: World) -> None:
    for number in range(MOST):
        save_view(user=world.alice, page="batches", name=f"{number}", query="")
    save_view(user=world.alice, page="batches", name="7", query="state=refused")
    assert SavedView.objects.get(name="7").query == "state=refused"
    with pytest.raises(TooManyViewsError):
        save_view(user=world.alice, page="batches", name="one more", query="")


def test_only_filters_are_kept_of_an_address() -> None:
    assert filters_of("batches", "q=a+b&before=3&state=&project=aurora") == "project=aurora&q=a+b"


def test_the_shell_lists_the_keys_of_the_page(alice: Browser) -> None:
    html = alice.get("/batches/").content.decode()
    assert html.count("<dialog") == 1
    text = " ".join(read(html))
    for words in ("to the filters", "next, previous batch", "search", "this sheet"):
        assert words in text
    assert alice.get("/cases/").content.decode().count("<dialog") == 1
