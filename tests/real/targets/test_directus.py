"""Directus 11.17.4 on PostgreSQL: with IDs of ours and a unique marker field, and with neither."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from once_delivery.ledger.marker import client_id_of
from once_delivery.targets.base import EffectRequest, InventoryError, Kind, LookUpRequest, Outcome, Verdict
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import connect
from tests.real.systems.directus import DirectusServer
from tests.real.targets.asking import Asker, a_marker
from tests.real.targets.contract import Contract
from tests.real.targets.directus_system import DirectusSystem
from tests.real.targets.drilling import Drilling
from tests.real.targets.probing import Probing
from tests.real.targets.recovery import Recovery
from tests.real.targets.renewing import Renewing
from tests.real.targets.updating import Updating

pytestmark = pytest.mark.real
DRAFT = Kind.CREATE_DRAFT


class TestWithOurIds(Contract):
    @pytest.fixture(params=[Kind.CREATE_DRAFT, Kind.UPLOAD_FILE], ids=str)
    def kind(self, request: pytest.FixtureRequest) -> Kind:
        kind: Kind = request.param
        return kind


class TestUpdatingAndRecoveryWithOurIds(Updating, Recovery, Renewing, Drilling, Probing):
    """``system`` is the module's."""


class TestByTheMarkerAlone(Contract, Updating, Recovery, Drilling, Probing):
    @pytest.fixture
    def system(self, directus: DirectusServer) -> DirectusSystem:
        return DirectusSystem(directus, Guard.LOOKUP)

    @pytest.fixture
    def kind(self) -> Kind:
        return Kind.CREATE_DRAFT


@pytest.fixture
def system(directus: DirectusServer) -> DirectusSystem:
    return DirectusSystem(directus, Guard.CLIENT_ID)


@pytest.fixture
def connected(system: DirectusSystem) -> Iterator[Any]:
    """Connectors with a changed declaration or account."""
    made = []

    def make(account: str = "delivery", *, base_url: str = "", token: str = "", **changes: Any) -> Any:
        way = system.as_account(token or system.server.tokens[account], base_url=base_url, **changes)
        made.append(connect("directus", way))
        return made[-1]

    yield make
    for one in made:
        one.close()


def a_look(connector: Any, marker: str) -> Any:
    return connector.look_up(LookUpRequest(DRAFT, marker, str(client_id_of(marker)), 20))


def a_create(connector: Any, marker: str, client_id: str = "", **payload: Any) -> Any:
    content = {"title": "Kessel", **payload}
    our_id = client_id or str(client_id_of(marker))
    return connector.perform(EffectRequest(DRAFT, marker, our_id, "", content, 20))


def test_the_picture_of_a_draft(asker: Asker, directus: DirectusServer) -> None:
    picture = asker.perform(Kind.UPLOAD_FILE, a_marker())
    draft = asker.perform(DRAFT, a_marker(), featured_media=picture.result_id)
    _status, item = directus.ask("admin", "GET", f"/items/articles/{draft.result_id}")
    assert (item["data"]["image"], item["data"]["language"]) == (picture.result_id, "de-DE")


def test_the_id_is_the_one_that_we_chose(asker: Asker, connected: Any) -> None:
    """In capitals too it is the same one: some databases would take it for another."""
    marker = a_marker()
    first = asker.perform(DRAFT, marker)
    assert first.result_id == str(client_id_of(marker))
    second = a_create(connected(), marker, str(client_id_of(marker)).upper())
    assert (second.outcome, len(asker.system.held(DRAFT, marker))) == (Outcome.EXISTS, 1)


def test_what_an_editor_published_is_found(asker: Asker, system: DirectusSystem) -> None:
    marker = a_marker()
    draft = asker.perform(DRAFT, marker)
    system.change(draft.result_id, status="published")
    (found,) = asker.look(DRAFT, marker).objects
    assert (found.result_id, found.status) == (draft.result_id, "published")
    assert asker.perform(DRAFT, marker).outcome == Outcome.EXISTS


def test_what_is_published_and_hidden_is_never_absent(connected: Any, system: DirectusSystem) -> None:
    """The usual policy shows drafts alone: the database says "exists", the list says nothing, a person decides."""
    hidden_from = connected("drafts-only")
    marker = a_marker()
    draft = a_create(hidden_from, marker)
    assert a_look(hidden_from, marker).verdict == Verdict.FOUND
    system.change(draft.result_id, status="published")
    assert a_create(hidden_from, marker).outcome == Outcome.EXISTS
    look = a_look(hidden_from, marker)
    assert (look.verdict, look.complete, look.code) == (Verdict.CANNOT_TELL, False, "sees-only-part")
    seen = hidden_from.read(kind=DRAFT, result_id=draft.result_id, deadline_s=20)
    assert (seen.verdict, seen.code) == (Verdict.CANNOT_TELL, "sees-only-part")
    with pytest.raises(InventoryError, match="sees-only-part"):
        list(hidden_from.inventory(kind=DRAFT, deadline_s=60))


def test_an_account_that_reads_nothing_is_not_told_what_it_made(
    connected: Any, system: DirectusSystem
) -> None:
    writer = connected("writer-only")
    marker = a_marker()
    answer = a_create(writer, marker)
    assert (answer.outcome, answer.code, answer.http_status) == (Outcome.UNKNOWN, "empty-body", 204)
    assert len(system.held(DRAFT, marker)) == 1
    look = a_look(writer, marker)
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "forbidden")


def test_a_cache_that_nobody_clears_hides_nothing(asker: Asker, directus: DirectusServer) -> None:
    marker = a_marker()
    question = f"/items/articles?filter[external_ref][_eq]={marker}"
    assert asker.look(DRAFT, marker).verdict == Verdict.ABSENT
    assert directus.ask("delivery", "GET", question)[1]["data"] == []
    asker.perform(DRAFT, marker)
    assert directus.ask("delivery", "GET", question)[1]["data"] == []  # the same question, out of the cache
    assert asker.look(DRAFT, marker).verdict == Verdict.FOUND


def test_a_marker_that_an_editor_took_away_is_for_a_person(asker: Asker, system: DirectusSystem) -> None:
    marker = a_marker()
    draft = asker.perform(DRAFT, marker)
    system.change(draft.result_id, external_ref=None)
    assert asker.perform(DRAFT, marker).outcome == Outcome.EXISTS
    look = asker.look(DRAFT, marker)
    assert (look.verdict, look.code, look.objects) == (Verdict.CANNOT_TELL, "marker-mismatch", ())
    assert [one.result_id for one in look.candidates] == [draft.result_id]


def test_what_was_archived_is_in_the_trash(asker: Asker, system: DirectusSystem) -> None:
    marker = a_marker()
    draft = asker.perform(DRAFT, marker)
    system.trash(DRAFT, draft.result_id)
    read = asker.connector.read(kind=DRAFT, result_id=draft.result_id, deadline_s=20)
    for look in (read, asker.look(DRAFT, marker)):
        assert [(one.result_id, one.trashed) for one in look.objects] == [(draft.result_id, True)]


@pytest.mark.parametrize(
    ("payload", "outcome", "code"),
    [
        ({"title": ""}, Outcome.REFUSED, "payload-missing"),
        ({"title": "x" * 300}, Outcome.REFUSED, "http-400"),
        ({"title": "a\0b"}, Outcome.REFUSED, "payload-unsayable"),
        ({"featured_media": {"id": "7b0c1b0a-0000-4000-8000-000000000000"}}, Outcome.REFUSED, "payload-unsayable"),
        ({"featured_media": "7b0c1b0a-0000-4000-8000-000000000000"}, Outcome.REFUSED, "http-400"),
        ({"featured_media": "no-uuid"}, Outcome.UNKNOWN, "http-500"),
    ],
    ids=str,
)  # fmt: skip
def test_content_that_is_refused(asker: Asker, payload: dict[str, Any], outcome: Outcome, code: str) -> None:
    marker = a_marker()
    answer = asker.perform(DRAFT, marker, **payload)
    assert (answer.outcome, answer.code) == (outcome, code), answer
    assert asker.system.held(DRAFT, marker) == []
    assert asker.look(DRAFT, marker).verdict == Verdict.ABSENT


def test_content_that_clashes_says_nothing_of_ours(asker: Asker, directus: DirectusServer) -> None:
    """With an ID of ours it is refused; without one our own earlier draft may be what it clashes with."""
    slug = f"kessel-{a_marker()[5:12]}"
    asker.perform(DRAFT, a_marker(), slug=slug)
    other = asker.perform(DRAFT, a_marker(), slug=slug)
    assert (other.outcome, other.code) == (Outcome.REFUSED, "not-unique"), other
    plain = Asker(DirectusSystem(directus, Guard.LOOKUP))
    marker = a_marker()
    plain.perform(DRAFT, marker, slug=slug)
    again = plain.perform(DRAFT, marker, slug=slug)
    assert (again.outcome, again.code) == (Outcome.EXISTS, "perhaps-exists"), again
    assert plain.look(DRAFT, marker).verdict == Verdict.FOUND
    plain.connector.close()


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"token": "token-nobody"}, ("account", "unauthorized")),
        ({"base_url": "/nowhere"}, ("connection", "no-api")),
        ({"account": "admin"}, ("cannot-publish", "may-publish")),
        ({"account": "publisher"}, ("cannot-publish", "may-publish")),
        ({"account": "unknowing"}, ("cannot-publish", "rules-not-readable")),
        ({"account": "unknowing"}, ("marker:create_draft", "schema-not-readable")),
        ({"account": "outsider"}, ("sight:create_draft", "sees-only-part")),
        ({"account": "drafts-only"}, ("sight:create_draft", "sees-only-part")),
        ({"account": "drafts-only"}, ("rights:upload_file", "forbidden")),
        ({"account": "writer-only"}, ("sight:create_draft", "forbidden")),
        ({"collection": "nosuch"}, ("sight:create_draft", "forbidden")),
        ({"fields": {"locale": "user_created"}}, ("rights:create_draft", "fields-not-writable")),
        ({"fields": {"locale": "sprache"}}, ("look_up:create_draft", "forbidden")),
        ({"collection": "notes", "client_id": True}, ("marker:create_draft", "id-not-uuid")),
        ({"marker_field": "product", "fields": {}}, ("marker:create_draft", "marker-not-unique")),
        ({"updated_field": "date_created"}, ("dates", "dates-not-kept")),
        ({"marker_field": "nosuch"}, ("marker:create_draft", "marker-field-missing")),
        ({"file_marker_field": "description", "file_fields": {"alt": "title"}}, ("marker:upload_file", "marker-not-unique")),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_set_up_wrongly_is_found(
    connected: Any, system: DirectusSystem, changes: dict[str, Any], wrong: tuple[str, str]
) -> None:
    if changes.get("base_url"):
        changes = {**changes, "base_url": system.server.base_url + changes["base_url"]}
    lines = connected(**changes).check()
    assert wrong in [(line.name, line.code) for line in lines if not line.ok], lines
