"""What editors do to drafts and files of ours in Strapi, and what is seen of it."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import InventoryError, Kind, Original, Outcome, Verdict
from once_delivery.targets.profile import Guard
from tests.real.systems.strapi import StrapiServer
from tests.real.targets.asking import DEADLINE_S, Asker, a_marker
from tests.real.targets.strapi_system import StrapiSystem
from tests.real.targets.updating import asked, made, read, update

pytestmark = pytest.mark.real
DRAFT, FILE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE


@pytest.fixture(params=[Guard.CLIENT_ID, Guard.LOOKUP], ids=["plugin", "plain"])
def system(request: pytest.FixtureRequest, strapi: StrapiServer) -> StrapiSystem:
    return StrapiSystem(strapi, request.param)


def listed(asker: Asker, **how: Any) -> list[tuple[str, str | None, str]]:
    found = asker.connector.inventory(kind=DRAFT, deadline_s=60, **how)
    return [(one.result_id, one.marker, one.status) for one in found]


def test_what_editors_do_to_a_draft_is_seen(asker: Asker, system: StrapiSystem) -> None:
    """Publishing makes a second row and "discard" a new one; both stay one object."""
    marker = a_marker()
    result_id = asker.perform(DRAFT, marker).result_id
    for deed, body, status in (
        ("publish", {"title": "Live", "external_ref": marker}, "published"),
        ("", {"title": "Anders"}, "modified"),
        ("discard", {}, "published"),
        ("unpublish", {}, "draft"),
    ):
        if deed:
            system.panel("POST", f"/{result_id}/actions/{deed}", body)
        else:
            system.panel("PUT", f"/{result_id}", body)
        look = asker.look(DRAFT, marker)
        assert [(one.result_id, one.status) for one in look.objects] == [(result_id, status)], deed
        assert [line for line in listed(asker) if line[0] == result_id] == [(result_id, marker, status)]
        assert read(asker, result_id).status == status
        if system.plugged:
            # the index stands in the way of none of it, and goes on doing its work
            assert asker.perform(DRAFT, marker).outcome == Outcome.EXISTS
    system.delete(DRAFT, result_id)
    assert asker.look(DRAFT, marker).verdict == Verdict.ABSENT


def updating_from(original: Original, version: str) -> Original:
    return Original(original.result_id, original.marker, version)


def test_what_is_published_is_not_updated(asker: Asker, system: StrapiSystem) -> None:
    original = made(asker)
    system.panel(
        "POST", f"/{original.result_id}/actions/publish", {"title": "Live", "external_ref": original.marker}
    )
    now = read(asker, original.result_id)
    answer = update(asker, updating_from(original, now.version))
    assert (answer.outcome, answer.code) == (Outcome.EXISTS, updating.PUBLISHED)
    assert asked(asker, updating_from(original, now.version)).code == updating.PUBLISHED
    assert read(asker, original.result_id) == now


def test_a_new_language_by_an_editor_is_no_second_draft(asker: Asker, system: StrapiSystem) -> None:
    """ "Fill in from another locale" takes the marker along."""
    original = made(asker)
    body = {"title": "Bouilloire", "external_ref": original.marker}
    system.panel("PUT", f"/{original.result_id}", body, locale="fr")
    look = asker.look(DRAFT, original.marker)
    assert [(one.result_id, one.version) for one in look.objects] == [(original.result_id, original.version)]
    assert [line[1] for line in listed(asker) if line[0] == original.result_id] == [original.marker]
    assert update(asker, original).outcome == Outcome.DONE
    titles = dict(
        system.server.rows(
            f"SELECT locale, title FROM {system.plural} WHERE document_id = %s",  # noqa: S608 -- our own names
            original.result_id,
        )
    )
    assert titles == {"de": "Kessel v2, <neu> & 更新", "fr": "Bouilloire"}


def test_a_copy_by_an_editor(asker: Asker, system: StrapiSystem) -> None:
    marker = a_marker()
    result_id = asker.perform(DRAFT, marker).result_id
    place = f"/content-manager/collection-types/{system.uid}/clone/{result_id}?locale=de"
    status, _ = system.server.ask("editor", "POST", place, {"title": "Kopie", "external_ref": marker})
    look = asker.look(DRAFT, marker)
    if system.plugged:
        assert (status, look.verdict) == (500, Verdict.FOUND)
    else:
        assert (status, look.verdict) == (200, Verdict.FOUND_MANY)
        assert {one.result_id for one in look.objects} == {
            one.result_id for one in system.held(DRAFT, marker)
        }
    status, copy = system.server.ask("editor", "POST", place, {"title": "Kopie", "external_ref": None})
    assert status == 200
    assert copy["data"]["documentId"] not in {one.result_id for one in asker.look(DRAFT, marker).objects}


def test_a_marker_that_an_editor_emptied_leaves_a_candidate(asker: Asker, system: StrapiSystem) -> None:
    marker = a_marker()
    result_id = asker.perform(DRAFT, marker, title=f"Ohne {marker}").result_id
    system.panel("PUT", f"/{result_id}", {"external_ref": None})
    look = asker.look(DRAFT, marker, title=f"Ohne {marker}")
    assert look.objects == ()
    assert [one.result_id for one in look.candidates] == [result_id]


def test_a_file_that_an_editor_renamed(asker: Asker, system: StrapiSystem) -> None:
    marker = a_marker()
    file = asker.perform(FILE, marker)
    system.server.rename_file(file.result_id, "schöner-kessel.png")
    (found,) = asker.look(FILE, marker).objects
    assert (found.result_id, found.title) == (file.result_id, "schöner-kessel.png")
    seen = list(asker.connector.inventory(kind=FILE, deadline_s=60))
    assert [one.marker for one in seen if one.result_id == file.result_id] == [marker]
    newer = asker.perform(FILE, a_marker())
    behind = list(asker.connector.inventory(kind=FILE, deadline_s=60, after=file.result_id))
    assert newer.result_id in {one.result_id for one in behind}
    assert file.result_id not in {one.result_id for one in behind}
    changed = asker.connector.inventory(kind=FILE, deadline_s=60, changed_since=found.updated_at)
    assert file.result_id not in {one.result_id for one in changed}


def test_the_inventory_goes_on_behind_a_place(
    asker: Asker, system: StrapiSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small pages, documents with several rows, and editors at work between two of them."""
    monkeypatch.setattr("once_delivery.targets.strapi.reads.PAGE", 5)
    ours = [made(asker) for _ in range(4)]
    for one in ours:
        body = {"title": "Bouilloire", "external_ref": one.marker}
        system.panel("PUT", f"/{one.result_id}", body, locale="fr")
        system.panel("POST", f"/{one.result_id}/actions/publish", body)
    everything = listed(asker)
    ids = [line[0] for line in everything]
    assert ids == sorted(set(ids))
    assert {(one.result_id, one.marker, "published") for one in ours} <= set(everything)
    begun = asker.connector.inventory(kind=DRAFT, deadline_s=60)
    first = [next(begun) for _ in range(len(ids) // 2)]
    system.panel("POST", f"/{first[0].result_id}/actions/publish", {"title": "First"})
    system.panel("POST", f"/{first[0].result_id}/actions/discard", {})
    assert [one.result_id for one in first] + [one.result_id for one in begun] == ids
    assert [line[0] for line in listed(asker, after=first[-1].place)] == ids[len(first) :]
    with pytest.raises(InventoryError, match="cannot-list-changes"):
        listed(asker, changed_since=first[0].updated_at)


def test_what_was_published_is_not_removed_through_the_plugin(strapi: StrapiServer) -> None:
    system = StrapiSystem(strapi, Guard.CLIENT_ID)
    asker = Asker(system)
    original = made(asker)
    system.panel(
        "POST", f"/{original.result_id}/actions/publish", {"title": "x", "external_ref": original.marker}
    )
    by_hand = system.make_by_hand("A person's own")
    for result_id in (original.result_id, by_hand):
        answer = asker.connector.remove(kind=DRAFT, result_id=result_id, deadline_s=DEADLINE_S)
        assert (answer.outcome, answer.http_status) == (Outcome.REFUSED, 409)
        assert asker.connector.read(kind=DRAFT, result_id=result_id, deadline_s=20).objects
    asker.connector.close()
