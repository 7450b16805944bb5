"""WordPress 6.1.9 (Debian 12) on php-fpm, nginx and MariaDB: with our plugin, and as it comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from once_delivery.targets.base import Connection, Kind, LookUpRequest, Outcome, Verdict
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import connect
from tests.real.systems.wordpress import WordPressServer
from tests.real.targets.asking import Asker, a_marker
from tests.real.targets.contract import Contract
from tests.real.targets.drilling import Drilling
from tests.real.targets.probing import Probing
from tests.real.targets.recovery import Recovery
from tests.real.targets.renewing import Renewing
from tests.real.targets.system import Account
from tests.real.targets.updating import Updating
from tests.real.targets.wordpress_system import WordPressSystem

pytestmark = pytest.mark.real
DRAFT, FILE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE


@pytest.fixture(params=[DRAFT, FILE], ids=str)
def kind(request: pytest.FixtureRequest) -> Kind:
    kind: Kind = request.param
    return kind


@pytest.fixture(params=[Guard.CLIENT_ID, Guard.LOOKUP], ids=["plugin", "plain"])
def system(request: pytest.FixtureRequest, wordpress: WordPressServer) -> WordPressSystem:
    return WordPressSystem(wordpress, request.param)


class TestWithThePlugin(Contract, Updating, Recovery, Renewing, Drilling, Probing):
    @pytest.fixture
    def system(self, wordpress: WordPressServer) -> WordPressSystem:
        return WordPressSystem(wordpress, Guard.CLIENT_ID)


class TestAsItComes(Contract, Updating, Recovery, Renewing, Drilling, Probing):
    @pytest.fixture
    def system(self, wordpress: WordPressServer) -> WordPressSystem:
        return WordPressSystem(wordpress, Guard.LOOKUP)


@pytest.fixture
def connected(system: WordPressSystem) -> Iterator[Any]:
    """Connectors with a changed declaration, address or account."""
    made = []

    def make(account: str = "delivery", base_url: str = "", password: str = "", **changes: Any) -> Any:
        known = system.connection(account=Account.DELIVERY)
        credentials = {
            **known.credentials,
            "username": account,
            "application_password": password or system.site.passwords[account],
        }
        connection = Connection(
            base_url or known.base_url, {**system.declaration, **changes}, credentials, allow_inside=True
        )
        made.append(connect("wordpress", connection))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_the_picture_of_a_draft(asker: Asker, system: WordPressSystem) -> None:
    picture = asker.perform(FILE, a_marker())
    draft = asker.perform(DRAFT, a_marker(), featured_media=picture.result_id)
    pictures = system.site.rows(
        "SELECT post_id, meta_value FROM wp_postmeta WHERE meta_key = '_thumbnail_id'"
    )
    assert [draft.result_id, picture.result_id] in pictures
    assert picture.url.endswith(".png")


def test_a_published_post_is_found(asker: Asker, system: WordPressSystem) -> None:
    marker = a_marker()
    draft = asker.perform(DRAFT, marker)
    system.change(draft.result_id, status="publish")
    (found,) = asker.look(DRAFT, marker).objects
    assert (found.result_id, found.status) == (draft.result_id, "publish")


def test_a_registered_field_tells_after_the_slug_was_changed(wordpress: WordPressServer) -> None:
    system = WordPressSystem(wordpress, Guard.LOOKUP, marker_meta="once_ref")
    asker = Asker(system)
    for kind in (DRAFT, FILE):
        marker = a_marker()
        made = asker.perform(kind, marker)
        assert (made.outcome, made.marker) == (Outcome.DONE, marker)
        if kind == DRAFT:
            system.change(made.result_id, slug="schoener-kessel", title="Anders")
            assert asker.look(kind, marker).method == "slug+newest"
        assert [one.result_id for one in asker.look(kind, marker).objects] == [made.result_id]
    asker.connector.close()


def test_another_contributor(asker: Asker, system: WordPressSystem, connected: Any) -> None:
    """WordPress counts a draft that it does not show; the plugin says that it is there."""
    marker = a_marker()
    made = asker.perform(DRAFT, marker)
    look = connected("other").look_up(LookUpRequest(DRAFT, marker, "", 20))
    if system.guard == Guard.CLIENT_ID:
        assert [(one.result_id, one.title) for one in look.objects] == [(made.result_id, "")]
    else:
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "total-mismatch")


def test_an_editor_puts_another_name_over_it(asker: Asker, system: WordPressSystem) -> None:
    marker = a_marker()
    made = asker.perform(DRAFT, marker)
    ((editor,),) = system.site.rows("SELECT ID FROM wp_users WHERE user_login = 'editor'")
    system.change(made.result_id, author=int(editor))
    look = asker.look(DRAFT, marker)
    listed = [one.result_id for one in asker.connector.inventory(kind=DRAFT, deadline_s=60)]
    if system.guard == Guard.CLIENT_ID:
        assert look.verdict == Verdict.FOUND
        assert listed.count(made.result_id) == 1
    else:
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "total-mismatch")
        assert made.result_id not in listed


@pytest.mark.parametrize(("field", "status"), [("subtitle", 400), ("guarded", 403)])
def test_a_refusal_can_leave_a_draft_behind(
    connected: Any, asker: Asker, system: WordPressSystem, field: str, status: int
) -> None:
    """The post is inserted first and its fields after it."""
    marker = a_marker()
    strict = Asker(system)
    strict.connector = connected(fields={field: f"meta.{field}"})
    content: dict[str, Any] = {field: "longer than the site allows"}
    answer = strict.perform(DRAFT, marker, **content)
    assert (answer.outcome, answer.http_status) == (Outcome.UNKNOWN, status), answer
    (held,) = system.held(DRAFT, marker)
    assert [one.result_id for one in asker.look(DRAFT, marker).objects] == [held.result_id]


@pytest.mark.parametrize(
    ("kind", "payload", "code"),
    [
        (DRAFT, {"title": ""}, "payload-missing"),
        (DRAFT, {"title": ["a", "list"]}, "payload-missing"),
        (DRAFT, {"categories": ["no-number"]}, "http-400"),
        (DRAFT, {"featured_media": "no-number"}, "payload-unsayable"),
    ],
    ids=str,
)
def test_content_that_is_refused(asker: Asker, kind: Kind, payload: dict[str, Any], code: str) -> None:
    marker = a_marker()
    answer = asker.perform(kind, marker, **payload)
    assert (answer.outcome, answer.code) == (Outcome.REFUSED, code), answer
    assert asker.system.held(kind, marker) == []


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"password": "abcd efgh ijkl mnop qrst uvwx"}, ("account", "unauthorized")),
        ({"account": "reader"}, ("account", "forbidden")),
        ({"account": "editor"}, ("cannot-publish", "may-publish")),
        ({"post_type": "nosuch"}, ("look_up:create_draft", "not-found")),
        ({"marker_meta": "nosuch"}, ("fields", "fields-not-writable")),
    ],
    ids=str,
)
def test_what_is_set_up_wrongly_is_found(
    connected: Any, changes: dict[str, Any], wrong: tuple[str, str]
) -> None:
    lines = connected(**changes).check()
    assert wrong in [(line.name, line.code) for line in lines if not line.ok], lines


def test_an_address_that_is_not_wordpress(connected: Any, system: WordPressSystem) -> None:
    (line,) = connected(base_url=f"{system.site.base_url}/wp-content").check()
    assert (line.name, line.code) == ("connection", "no-api")


def test_permalinks_that_are_plain(connected: Any, system: WordPressSystem) -> None:
    asker, marker = Asker(system), a_marker()
    asker.connector = connected(plain_permalinks=True)
    made = asker.perform(DRAFT, marker)
    assert asker.look(DRAFT, marker).objects[0].result_id == made.result_id
    assert [line for line in asker.connector.check() if not line.ok] == []
