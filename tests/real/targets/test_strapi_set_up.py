"""Content types, languages, tokens and declarations that a Strapi site can be set up with, right and wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import Answer, Connection, Kind, Original, Outcome, Verdict
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import connect
from tests.real.systems.strapi import StrapiServer
from tests.real.targets.asking import Asker, a_marker, at_once
from tests.real.targets.strapi_system import StrapiSystem
from tests.real.targets.updating import made, read, update

pytestmark = pytest.mark.real
DRAFT, FILE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE


@pytest.fixture(params=[Guard.CLIENT_ID, Guard.LOOKUP], ids=["plugin", "plain"])
def system(request: pytest.FixtureRequest, strapi: StrapiServer) -> StrapiSystem:
    return StrapiSystem(strapi, request.param)


@pytest.fixture
def connected(system: StrapiSystem) -> Iterator[Any]:
    """Connectors with a changed declaration, address or account."""
    made = []

    def make(account: str = "", base_url: str = "", token: str = "", **changes: Any) -> Any:
        known = system.connection()
        credentials = {"token": token or system.server.tokens[account or system.account]}
        connection = Connection(
            base_url or known.base_url, {**system.declaration, **changes}, credentials, allow_inside=True
        )
        made.append(connect("strapi", connection))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_two_updates_at_once(strapi: StrapiServer) -> None:
    """The plugin locks the row, compares and saves. As it comes, Strapi compares nothing: see the README."""
    asker = Asker(StrapiSystem(strapi, Guard.CLIENT_ID))
    for _round in range(3):
        original = made(asker)
        answers = eight_updates_at_once(asker, original)
        (done,) = [number for number, one in enumerate(answers) if one.outcome == Outcome.DONE]
        assert {one.code for one in answers if one.outcome != Outcome.DONE} == {updating.CHANGED}
        assert read(asker, original.result_id).content["title"] == f"By {done}"
    asker.connector.close()


def test_a_type_without_languages(strapi: StrapiServer) -> None:
    """Its locale is NULL, and NULLs are never equal: the index must not rest on them."""
    asker = Asker(StrapiSystem(strapi, Guard.CLIENT_ID, type_="leaflets"))
    for _round in range(3):
        marker = a_marker()
        answers = eight_at_once(asker, marker)
        assert sorted(one.outcome for one in answers) == [Outcome.DONE, *[Outcome.EXISTS] * 7]
        (held,) = asker.system.held(DRAFT, marker)
        assert [one.result_id for one in asker.look(DRAFT, marker).objects] == [held.result_id]
    asker.connector.close()


def test_what_strapi_calls_unique_is_not_asked_of_drafts(strapi: StrapiServer) -> None:
    asker, marker = Asker(StrapiSystem(strapi, Guard.LOOKUP)), a_marker()
    assert {one.outcome for one in eight_at_once(asker, marker)} == {Outcome.DONE}
    assert len(asker.look(DRAFT, marker).objects) == len(asker.system.held(DRAFT, marker)) == 8
    asker.connector.close()


def test_an_index_of_the_sites_own_and_no_plugin(strapi: StrapiServer) -> None:
    """Its losers are answered 500: never refused, always looked up."""
    strapi.rows(
        "CREATE UNIQUE INDEX of_the_site ON memos (external_ref, (COALESCE(locale, ''))) WHERE published_at IS NULL"
    )
    asker = Asker(StrapiSystem(strapi, Guard.LOOKUP, type_="memos"))
    for _round in range(3):
        marker = a_marker()
        answers = eight_at_once(asker, marker)
        assert sorted(one.outcome for one in answers) == [Outcome.DONE, *[Outcome.UNKNOWN] * 7]
        (held,) = asker.system.held(DRAFT, marker)
        assert [one.result_id for one in asker.look(DRAFT, marker).objects] == [held.result_id]
    strapi.rows("DROP INDEX of_the_site")
    asker.connector.close()


def test_a_column_that_is_unique_for_all_rows_stands_in_the_way_of_publishing(strapi: StrapiServer) -> None:
    """A published document has two rows with the marker: hence the index is for drafts alone."""
    strapi.rows("CREATE UNIQUE INDEX for_all_rows ON memos (external_ref)")
    system = StrapiSystem(strapi, Guard.LOOKUP, type_="memos")
    asker, marker = Asker(system), a_marker()
    draft = asker.perform(DRAFT, marker)
    place = f"/content-manager/collection-types/{system.uid}/{draft.result_id}/actions/publish"
    status, _ = strapi.ask("editor", "POST", place, {"title": "x", "external_ref": marker})
    strapi.rows("DROP INDEX for_all_rows")
    assert status == 500
    status, _ = strapi.ask("editor", "POST", place, {"title": "x", "external_ref": marker})
    assert status == 200
    asker.connector.close()


def test_a_token_that_could_publish(strapi: StrapiServer) -> None:
    """Strapi cannot say "drafts only" of a token. Ours asks for a draft all the same, and the check tells."""
    system = StrapiSystem(strapi, Guard.LOOKUP, type_="memos")
    asker = Asker(system)
    marker = a_marker()
    made_draft = asker.perform(DRAFT, marker, **system.publishing_payload())
    assert [(one.result_id, one.live) for one in system.held(DRAFT, marker)] == [
        (made_draft.result_id, False)
    ]
    wrong = [(line.name, line.code) for line in asker.connector.check() if not line.ok]
    assert wrong == [("cannot-publish", "may-publish")]
    before = strapi.rows("SELECT count(*) FROM memos")
    asker.connector.check()
    assert strapi.rows("SELECT count(*) FROM memos") == before  # what it asks for makes nothing
    asker.connector.close()


def test_a_type_without_drafts(strapi: StrapiServer) -> None:
    """What is made there is live at once."""
    system = StrapiSystem(strapi, Guard.LOOKUP, type_="entries")
    asker = Asker(system)
    marker = a_marker()
    made_live = asker.perform(DRAFT, marker)
    assert (made_live.outcome, made_live.detail) == (Outcome.DONE, "status published")
    look = asker.look(DRAFT, marker)
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "no-drafts")
    assert [(line.name, line.code) for line in asker.connector.check()] == [("connection", "no-drafts")]
    asker.connector.close()


def test_the_picture_of_a_draft(asker: Asker, system: StrapiSystem) -> None:
    picture = asker.perform(FILE, a_marker())
    assert picture.url.endswith(".png")
    draft = asker.perform(DRAFT, a_marker(), featured_media=picture.result_id)
    assert draft.outcome == Outcome.DONE, draft
    ((row,),) = system.server.rows(
        f"SELECT id FROM {system.plural} WHERE document_id = %s",  # noqa: S608 -- our own names
        draft.result_id,
    )
    pictures = system.server.rows(
        "SELECT file_id FROM files_related_mph WHERE related_id = %s AND related_type = %s", row, system.uid
    )
    assert pictures == [(int(picture.result_id),)]


def test_languages(asker: Asker, system: StrapiSystem) -> None:
    marker = a_marker()
    made_french = asker.perform(DRAFT, marker, locale="fr-FR")
    rows = system.server.rows(
        f"SELECT locale FROM {system.plural} WHERE document_id = %s",  # noqa: S608 -- our own names
        made_french.result_id,
    )
    assert rows == [("fr",)]
    assert asker.look(DRAFT, marker).verdict == Verdict.FOUND
    answer = asker.perform(DRAFT, a_marker(), locale="ja-JP")
    assert (answer.outcome, answer.code, answer.detail) == (Outcome.REFUSED, "locale-not-declared", "ja-JP")


def test_another_language_for_a_marker_that_is_there(strapi: StrapiServer) -> None:
    """A declaration that was changed between two sends."""
    asker, marker = Asker(StrapiSystem(strapi, Guard.CLIENT_ID)), a_marker()
    assert asker.perform(DRAFT, marker).outcome == Outcome.DONE
    assert asker.perform(DRAFT, marker, locale="fr-FR").outcome == Outcome.EXISTS
    assert len(asker.system.held(DRAFT, marker)) == 1
    asker.connector.close()


@pytest.mark.parametrize(
    ("content", "outcome", "code"),
    [
        ({"title": ""}, Outcome.REFUSED, "payload-missing"),
        ({"title": ["a", "list"]}, Outcome.REFUSED, "payload-missing"),
        ({"title": "x" * 300}, Outcome.REFUSED, "http-400"),
        ({"product": "longer than the site allows" * 2}, Outcome.REFUSED, "http-400"),
        ({"featured_media": "2147483647"}, Outcome.REFUSED, "http-400"),
        ({"title": "x" * 3_000_000}, Outcome.REFUSED, "http-413"),
        ({"body": "a NUL \0"}, Outcome.UNKNOWN, "http-500"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_content_that_the_site_refuses(
    asker: Asker, content: dict[str, Any], outcome: Outcome, code: str
) -> None:
    marker = a_marker()
    answer = asker.perform(DRAFT, marker, **content)
    assert (answer.outcome, answer.code) == (outcome, code), answer
    assert asker.system.held(DRAFT, marker) == []
    assert asker.look(DRAFT, marker, title=marker).verdict == Verdict.ABSENT


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"token": "0" * 256}, ("account", "unauthorized")),
        ({"account": "blind"}, ("account", "forbidden")),
        ({"content_type": "nosuch"}, ("connection", "no-such-type")),
        ({"api_path": "/nowhere"}, ("connection", "no-such-type")),
        ({"marker_field": "nosuch"}, ("connection", "marker-unreadable")),
        ({"fields": {"subtitle": "nosuch"}}, ("fields", "fields-not-writable")),
        ({"locales": {"ja-JP": "ja"}}, ("locales", "no-such-locale")),
    ],
    ids=str,
)
def test_what_is_set_up_wrongly_is_found(
    connected: Any, asker: Asker, changes: dict[str, Any], wrong: tuple[str, str]
) -> None:
    asker.perform(DRAFT, a_marker())
    lines = connected(**changes).check()
    assert wrong in [(line.name, line.code) for line in lines if not line.ok], lines


@pytest.mark.parametrize(
    ("type_", "detail"),
    [("memos", "memos: not-configured"), ("entries", "entries: no-drafts")],
)
def test_a_type_that_the_plugin_does_not_protect(strapi: StrapiServer, type_: str, detail: str) -> None:
    strapi.rows("DELETE FROM entries")
    asker = Asker(StrapiSystem(strapi, Guard.CLIENT_ID, type_=type_))
    marker = a_marker()
    answer = asker.perform(DRAFT, marker)
    assert (answer.outcome, answer.http_status) == (Outcome.REFUSED, 404)
    assert asker.system.held(DRAFT, marker) == []
    (line,) = [line for line in asker.connector.check() if line.name == "plugin"]
    assert (line.code, line.detail) == ("plugin-not-ready", detail)
    asker.connector.close()


def test_a_file_is_read(asker: Asker) -> None:
    file = asker.perform(FILE, a_marker(), title="Ein Kessel")
    look = asker.connector.read(kind=FILE, result_id=file.result_id, deadline_s=20)
    assert [(one.result_id, one.content["alt"]) for one in look.objects] == [(file.result_id, "Ein Kessel")]
    asker.system.delete(FILE, file.result_id)
    look = asker.connector.read(kind=FILE, result_id=file.result_id, deadline_s=20)
    assert (look.verdict, look.complete) == (Verdict.ABSENT, True)


def eight_at_once(asker: Asker, marker: str) -> list[Answer]:
    return at_once(8, lambda _: asker.perform(DRAFT, marker))


def eight_updates_at_once(asker: Asker, original: Original) -> list[Answer]:
    return at_once(8, lambda number: update(asker, original, title=f"By {number}"))
