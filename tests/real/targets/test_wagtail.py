"""Wagtail 8.0.1 on PostgreSQL: with a unique ``external_ref``, and by the slug alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from once_delivery.targets.base import Connection, Kind, LookUpRequest, Outcome, Verdict
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import connect
from tests.real.systems.wagtail import WagtailServer
from tests.real.targets.asking import Asker, a_marker
from tests.real.targets.contract import Contract
from tests.real.targets.drilling import Drilling
from tests.real.targets.probing import Probing
from tests.real.targets.recovery import Recovery
from tests.real.targets.renewing import Renewing
from tests.real.targets.updating import Updating
from tests.real.targets.wagtail_system import WagtailSystem

pytestmark = pytest.mark.real
DRAFT = Kind.CREATE_DRAFT


class TestWithAUniqueField(Contract, Updating):
    @pytest.fixture
    def system(self, wagtail: WagtailServer) -> WagtailSystem:
        return WagtailSystem(wagtail, Guard.CLIENT_ID)

    @pytest.fixture(params=[Kind.CREATE_DRAFT, Kind.UPLOAD_FILE], ids=str)
    def kind(self, request: pytest.FixtureRequest) -> Kind:
        kind: Kind = request.param
        return kind


class TestRecoveryWithAUniqueField(Recovery, Renewing, Drilling, Probing):
    """``system`` is the module's."""


class TestByTheSlug(Contract, Updating, Recovery, Renewing, Drilling, Probing):
    @pytest.fixture
    def system(self, wagtail: WagtailServer) -> WagtailSystem:
        return WagtailSystem(wagtail, Guard.LOOKUP)

    @pytest.fixture
    def kind(self) -> Kind:
        return Kind.CREATE_DRAFT


@pytest.fixture
def system(wagtail: WagtailServer) -> WagtailSystem:
    return WagtailSystem(wagtail, Guard.CLIENT_ID)


@pytest.fixture
def connected(wagtail: WagtailServer, system: WagtailSystem) -> Iterator[Any]:
    """Connectors with a changed declaration or account."""
    made = []

    def make(account: str = "delivery", base_url: str = "", token: str = "", **changes: Any) -> Any:
        connection = Connection(
            base_url or wagtail.base_url,
            {**system.declaration, **changes},
            {"token": token or wagtail.tokens[account]},
            allow_inside=True,
        )
        made.append(connect("wagtail", connection))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_the_picture_of_a_draft(asker: Asker, wagtail: WagtailServer) -> None:
    picture = asker.perform(Kind.UPLOAD_FILE, a_marker())
    draft = asker.perform(DRAFT, a_marker(), featured_media=picture.result_id)
    _status, page = wagtail.ask("delivery", "GET", f"/pages/{draft.result_id}/?version=draft")
    assert (page["hero_image"]["id"], page["language"], page["product"]) == (
        int(picture.result_id),
        "de-DE",
        "kettle",
    )


def test_a_copy_by_an_editor_is_not_ours(asker: Asker, wagtail: WagtailServer) -> None:
    marker = a_marker()
    draft = asker.perform(DRAFT, marker)
    status, copy = wagtail.ask("admin", "POST", f"/pages/{draft.result_id}/actions/copy/", {})
    assert (status, copy["external_ref"]) == (201, None)
    assert [one.result_id for one in asker.look(DRAFT, marker).objects] == [draft.result_id]


def test_an_account_that_may_only_add_cannot_tell_what_is_not_there(connected: Any) -> None:
    """It sees its own pages only, so that an empty list says nothing of those of the account before it."""
    adder = connected("adder")
    look = adder.look_up(LookUpRequest(DRAFT, a_marker(), "", 20))
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "section-not-visible")


def test_a_published_page_is_found(asker: Asker, wagtail: WagtailServer) -> None:
    marker = a_marker()
    draft = asker.perform(DRAFT, marker)
    wagtail.ask("admin", "POST", f"/pages/{draft.result_id}/actions/publish/")
    (found,) = asker.look(DRAFT, marker).objects
    assert (found.result_id, found.status) == (draft.result_id, "published")


@pytest.mark.parametrize("field", ["nosuch", "product"])
def test_a_marker_field_that_is_not_there_or_not_the_markers_cannot_tell(
    connected: Any, asker: Asker, field: str
) -> None:
    """Wagtail leaves out a filter that it does not know and then shows everything."""
    asker.perform(DRAFT, a_marker())
    connector = connected(marker_field=field)
    look = connector.look_up(LookUpRequest(DRAFT, a_marker(), "", 20))
    if field == "nosuch":
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "marker-unreadable")
        assert ("page-type", "fields-not-writable") in [
            (line.name, line.code) for line in connector.check() if not line.ok
        ]
    else:
        assert look.verdict == Verdict.ABSENT


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"token": "wagtail_nobody"}, ("account", "unauthorized")),
        ({"api_path": "/api/v9"}, ("connection", "no-api-v3")),
        ({"account": "admin"}, ("cannot-publish", "may-publish")),
        ({"account": "adder"}, ("section", "section-not-visible")),
        ({"parent_id": 999_999}, ("section", "section-not-visible")),
        ({"page_type": "catalog.Nope"}, ("page-type", "not-found")),
        ({"fields": {"locale": "sprache"}}, ("page-type", "fields-not-writable")),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_set_up_wrongly_is_found(
    connected: Any, changes: dict[str, Any], wrong: tuple[str, str]
) -> None:
    lines = connected(**changes).check()
    assert wrong in [(line.name, line.code) for line in lines if not line.ok], lines


@pytest.mark.parametrize(
    ("payload", "outcome", "code"),
    [
        ({"title": ""}, Outcome.REFUSED, "payload-missing"),
        ({"title": "x" * 300}, Outcome.REFUSED, "http-422"),
        ({"slug": "not a slug!"}, Outcome.REFUSED, "slug-refused"),
        ({"featured_media": "no-number"}, Outcome.REFUSED, "http-422"),
        ({"featured_media": "2147483647"}, Outcome.REFUSED, "http-422"),
    ],
    ids=str,
)
def test_content_that_the_site_refuses(
    asker: Asker, payload: dict[str, Any], outcome: Outcome, code: str
) -> None:
    marker = a_marker()
    answer = asker.perform(DRAFT, marker, **payload)
    assert (answer.outcome, answer.code) == (outcome, code), answer
    assert asker.system.held(DRAFT, marker) == []
    assert asker.look(DRAFT, marker).verdict == Verdict.ABSENT


def test_a_slug_of_the_contents_own(asker: Asker, wagtail: WagtailServer) -> None:
    """Another page with that slug is no answer to where ours is."""
    slug = f"kessel-{a_marker()[5:12]}"
    marker = a_marker()
    first = asker.perform(DRAFT, marker, slug=slug)
    assert first.outcome == Outcome.DONE
    assert asker.perform(DRAFT, marker, slug=slug).outcome == Outcome.EXISTS
    other = asker.perform(DRAFT, a_marker(), slug=slug)
    assert (other.outcome, other.code) == (Outcome.REFUSED, "slug-refused")
