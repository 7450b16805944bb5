"""Wagtail 8.0.1: what an update does to a page that editors work on, and inventories that go on or look back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from once_delivery.common.http import HttpClient, HttpRequest, HttpResult
from once_delivery.targets import updating
from once_delivery.targets.base import FoundObject, InventoryError, Kind, Outcome, Verdict
from once_delivery.targets.profile import Guard
from tests.real.systems.wagtail import WagtailServer
from tests.real.targets.asking import DEADLINE_S, Asker, a_marker
from tests.real.targets.updating import OLD, asked, made, read, update
from tests.real.targets.wagtail_system import WagtailSystem

pytestmark = pytest.mark.real
DRAFT, FILE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE


@pytest.fixture(params=[Guard.CLIENT_ID, Guard.LOOKUP], ids=["field", "slug"])
def system(request: pytest.FixtureRequest, wagtail: WagtailServer) -> WagtailSystem:
    return WagtailSystem(wagtail, request.param)


@pytest.fixture
def with_field(wagtail: WagtailServer) -> WagtailSystem:
    return WagtailSystem(wagtail, Guard.CLIENT_ID)


def live_title(wagtail: WagtailServer, result_id: str) -> tuple[bool, str]:
    """What readers see."""
    ((live, title),) = wagtail.rows("SELECT live, title FROM wagtailcore_page WHERE id = %s", int(result_id))
    return live, title


def revisions(wagtail: WagtailServer, result_id: str) -> list[str]:
    rows = wagtail.rows(
        "SELECT object_str FROM wagtailcore_revision WHERE object_id = %s ORDER BY id", result_id
    )
    return [row[0] for row in rows]


def test_a_published_page_is_left_to_a_person(asker: Asker, wagtail: WagtailServer) -> None:
    original = made(asker)
    wagtail.ask("admin", "POST", f"/pages/{original.result_id}/actions/publish/")
    answer = update(asker, original)
    assert (answer.outcome, answer.code) == (Outcome.EXISTS, updating.PUBLISHED)
    assert live_title(wagtail, original.result_id) == (True, OLD)
    look = asked(asker, original)
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, updating.PUBLISHED)
    assert [one.content["title"] for one in look.candidates] == [OLD]


class Meanwhile(HttpClient):
    """Lets an editor act between the read and the write of an update."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__(allow_inside=True)
        self._act = act

    def send(self, request: HttpRequest) -> HttpResult:
        if request.method == "PATCH":
            self._act()
        return super().send(request)


@pytest.fixture
def between(asker: Asker) -> Callable[[Callable[[], object]], None]:
    """Arranges what an editor does between the read and the write of the next updates."""

    def arrange(act: Callable[[], object]) -> None:
        connector: Any = asker.connector
        connector._sender = replace(connector._sender, client=Meanwhile(act))

    return arrange


def test_published_between_read_and_write(asker: Asker, wagtail: WagtailServer, between: Any) -> None:
    """The update becomes a draft revision of a live page: readers go on seeing what the editor published."""
    original = made(asker)
    between(lambda: wagtail.ask("admin", "POST", f"/pages/{original.result_id}/actions/publish/"))
    assert update(asker, original).outcome == Outcome.DONE
    assert live_title(wagtail, original.result_id) == (True, OLD)


def test_edited_between_read_and_write(asker: Asker, wagtail: WagtailServer, between: Any) -> None:
    """Wagtail compares nothing; the editor's text stays in the page's history."""
    original = made(asker)
    between(lambda: asker.system.edit(original.result_id, "An editor's own words"))
    assert update(asker, original).outcome == Outcome.DONE
    assert revisions(wagtail, original.result_id)[1] == "An editor's own words"
    assert read(asker, original.result_id).content["title"] != "An editor's own words"


def test_a_page_that_an_editor_locked_is_not_updated(asker: Asker, wagtail: WagtailServer) -> None:
    original = made(asker)
    wagtail.rows(
        "UPDATE wagtailcore_page SET locked = true WHERE id = %s RETURNING id", int(original.result_id)
    )
    answer = update(asker, original)
    assert (answer.outcome, answer.code) == (Outcome.REFUSED, "http-403"), answer
    assert read(asker, original.result_id).content["title"] == OLD


def test_a_picture_is_replaced_by_an_update(with_field: WagtailSystem) -> None:
    asker = Asker(with_field)
    first, second = (asker.perform(FILE, a_marker()).result_id for _ in range(2))
    draft = asker.perform(DRAFT, a_marker(), featured_media=first)
    found = read(asker, draft.result_id)
    assert (found.content["featured_media"], found.version) == (first, draft.version)
    assert updating.same_content(found.content, {"featured_media": first})
    assert not updating.same_content(found.content, {"featured_media": second})
    asker.connector.close()


def test_an_image_is_read_and_removed(with_field: WagtailSystem) -> None:
    asker, marker = Asker(with_field), a_marker()
    image = asker.perform(FILE, marker, alt="Ein Kessel")
    look = asker.connector.read(kind=FILE, result_id=image.result_id, deadline_s=DEADLINE_S)
    assert [(one.marker, one.content["alt"]) for one in look.objects] == [(marker, "Ein Kessel")]
    removed = asker.connector.remove(kind=FILE, result_id=image.result_id, deadline_s=DEADLINE_S)
    gone = asker.connector.read(kind=FILE, result_id=image.result_id, deadline_s=DEADLINE_S)
    assert (removed.outcome, gone.verdict) == (Outcome.DONE, Verdict.ABSENT), removed
    again = asker.connector.remove(kind=FILE, result_id=image.result_id, deadline_s=DEADLINE_S)
    assert (again.outcome, again.code) == (Outcome.DONE, "not-there")
    asker.connector.close()


def test_a_published_page_is_not_removed(asker: Asker, wagtail: WagtailServer) -> None:
    original = made(asker)
    wagtail.ask("admin", "POST", f"/pages/{original.result_id}/actions/publish/")
    answer = asker.connector.remove(kind=DRAFT, result_id=original.result_id, deadline_s=DEADLINE_S)
    assert (answer.outcome, answer.code) == (Outcome.REFUSED, "http-403"), answer
    assert live_title(wagtail, original.result_id) == (True, OLD)


def listed(asker: Asker, kind: Kind = DRAFT, **how: Any) -> list[FoundObject]:
    return list(asker.connector.inventory(kind=kind, deadline_s=120, **how))


def test_an_inventory_goes_on_where_it_was(asker: Asker) -> None:
    """Also when pages before that place have been deleted: an offset alone would skip others."""
    mine = [asker.perform(DRAFT, a_marker()).result_id for _ in range(6)]
    everything = listed(asker)
    place = next(one.place for one in everything if one.result_id == mine[2])
    for result_id in mine[:2]:
        asker.system.delete(DRAFT, result_id)
    later = asker.perform(DRAFT, a_marker()).result_id
    expected = [one.result_id for one in everything if int(one.result_id) > int(mine[2])]
    assert [one.result_id for one in listed(asker, after=place)] == [*expected, later]
    asker.system.delete(DRAFT, mine[2])  # the place itself
    assert [one.result_id for one in listed(asker, after=place)] == [*expected, later]
    with pytest.raises(InventoryError) as cut:
        listed(asker, after="nonsense")
    assert cut.value.code == "bad-place"


def test_what_was_saved_lately(wagtail: WagtailServer, with_field: WagtailSystem) -> None:
    asker = Asker(with_field)
    old, touched = made(asker), made(asker)
    since = datetime.now(UTC)
    with_field.edit(touched.result_id, "Touched")
    new = made(asker)
    found = [one.result_id for one in listed(asker, changed_since=since)]
    assert found[:2] == [new.result_id, touched.result_id]
    assert old.result_id not in found
    assert listed(asker, changed_since=datetime.now(UTC) + timedelta(hours=1)) == []
    with pytest.raises(InventoryError) as cut:
        listed(asker, FILE, changed_since=since)
    assert cut.value.code == "cannot-list-changes"
    asker.connector.close()


def test_a_site_that_shows_no_dates_cannot_list_changes(wagtail: WagtailServer) -> None:
    asker = Asker(WagtailSystem(wagtail, Guard.LOOKUP))
    with pytest.raises(InventoryError) as cut:
        listed(asker, changed_since=datetime.now(UTC))
    assert cut.value.code == "cannot-list-changes"
    asker.connector.close()
