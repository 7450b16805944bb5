"""Pictures at Ghost: they can be found where it keeps them, and nowhere be listed."""

from __future__ import annotations

import pytest

from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.targets.base import Connection, InventoryError, Kind, Outcome, Verdict
from once_delivery.targets.ghost.images import NO_PROOF
from once_delivery.targets.registry import connect
from tests.real.systems.ghost import GhostServer
from tests.real.targets.asking import Asker, a_marker, a_picture
from tests.real.targets.ghost_system import GhostSystem
from tests.real.targets.updating import read

pytestmark = pytest.mark.real
DRAFT, FILE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE


@pytest.fixture
def system(ghost: GhostServer) -> GhostSystem:
    """Its look-ups name the file, as the ledger does."""
    picture = a_picture()
    named = {"sha256": picture.sha256, "name": picture.name, "media_type": picture.media_type}
    return GhostSystem(ghost, file=named)


def test_a_picture_is_uploaded_and_found_where_it_is(asker: Asker) -> None:
    marker = a_marker()
    answer = asker.perform(FILE, marker)
    assert (answer.outcome, answer.marker) == (Outcome.DONE, marker), answer
    look = asker.look(FILE, marker)
    assert [one.result_id for one in look.objects] == [answer.result_id]
    assert read_file(asker, answer.result_id) == Verdict.FOUND


def test_the_picture_of_a_draft(asker: Asker) -> None:
    picture = asker.perform(FILE, a_marker())
    draft = asker.perform(DRAFT, a_marker(), featured_media=picture.result_id, featured_alt="Ein Kessel")
    content = read(asker, draft.result_id).content
    assert (content["featured_media"], content["featured_alt"]) == (picture.url, "Ein Kessel")


def test_a_lost_answer_of_an_upload(system: GhostSystem, asker: Asker) -> None:
    marker = a_marker()
    with LosingProxy(system.connection().base_url, allow_inside=True) as proxy:
        through = Asker(system, base_url=proxy.base_url)
        proxy.lose(marker)
        answer = through.perform(FILE, marker)
        through.connector.close()
    assert answer.outcome == Outcome.UNKNOWN
    (found,) = asker.look(FILE, marker).objects
    assert system.server.page(found.url.removeprefix(system.server.base_url))[0] == 200


def test_that_there_is_no_picture_cannot_be_proven(asker: Asker, system: GhostSystem) -> None:
    """So that a lost upload that is not found is for a person, and is never sent again by itself."""
    look = asker.look(FILE, a_marker())
    assert (look.verdict, look.complete, look.code) == (Verdict.CANNOT_TELL, False, NO_PROOF)
    gone = f"{system.server.base_url}/content/images/2026/01/{a_marker()}.png"
    assert read_file(asker, gone) == read_file(asker, "https://example.com/x.png") == Verdict.CANNOT_TELL
    with pytest.raises(InventoryError) as caught:
        list(asker.connector.inventory(kind=FILE, deadline_s=20))
    assert caught.value.code == NO_PROOF
    assert asker.connector.remove(kind=FILE, result_id=gone, deadline_s=20).outcome == Outcome.REFUSED


def test_a_second_upload_makes_a_second_file_and_says_so(asker: Asker) -> None:
    marker = a_marker()
    first, second = asker.perform(FILE, marker), asker.perform(FILE, marker)
    assert (first.outcome, second.outcome, second.code) == (Outcome.DONE, Outcome.UNKNOWN, "name-suffixed")
    assert [one.result_id for one in asker.look(FILE, marker).objects] == [first.result_id]


@pytest.mark.parametrize(
    ("media_type", "code"), [("application/pdf", "media-type-not-accepted"), ("image/gif", "http-400")]
)
def test_what_is_no_picture(asker: Asker, system: GhostSystem, media_type: str, code: str) -> None:
    marker = a_marker()
    answer = asker.connector.perform(system.upload(marker, b"no picture", media_type))
    assert (answer.outcome, answer.code) == (Outcome.REFUSED, code), answer


def test_pictures_are_wanted_or_not_done(system: GhostSystem) -> None:
    known = system.connection()
    declared = {**known.declaration, "images": False}
    asker = Asker(system)
    asker.connector = connect(
        "ghost", Connection(known.base_url, declared, known.credentials, allow_inside=True)
    )
    answer = asker.perform(FILE, a_marker())
    asker.connector.close()
    assert (answer.outcome, answer.code) == (Outcome.REFUSED, "kind-not-declared")


def read_file(asker: Asker, result_id: str) -> Verdict:
    return asker.connector.read(kind=FILE, result_id=result_id, deadline_s=20).verdict
