"""WordPress: what an update does to a post that editors work on, and inventories that go on or look back."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import FoundObject, InventoryError, Kind, Outcome, Verdict
from once_delivery.targets.profile import Guard
from tests.real.systems.wordpress import WordPressServer
from tests.real.targets.asking import DEADLINE_S, Asker, a_marker, at_once
from tests.real.targets.updating import NEW, OLD, asked, made, read, update
from tests.real.targets.wordpress_system import WordPressSystem

pytestmark = pytest.mark.real
DRAFT, FILE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE
HELD_S = 1.5
AT_ONCE, ROUNDS = 8, 5


@pytest.fixture(params=[Guard.CLIENT_ID, Guard.LOOKUP], ids=["plugin", "plain"])
def system(request: pytest.FixtureRequest, wordpress: WordPressServer) -> WordPressSystem:
    return WordPressSystem(wordpress, request.param)


@pytest.fixture
def plugged(wordpress: WordPressServer) -> WordPressSystem:
    return WordPressSystem(wordpress, Guard.CLIENT_ID)


def row(system: WordPressSystem, result_id: str) -> list[str]:
    """Status and title, as the database has them."""
    (found,) = system.site.rows(
        f"SELECT post_status, post_title FROM wp_posts WHERE ID = {int(result_id)}"  # noqa: S608
    )
    return found


def test_a_published_post_is_left_to_a_person(asker: Asker, system: WordPressSystem) -> None:
    original = made(asker)
    system.change(original.result_id, status="publish")
    answer = update(asker, original)
    assert (answer.outcome, answer.code) == (Outcome.EXISTS, updating.PUBLISHED)
    assert row(system, original.result_id) == ["publish", OLD]
    look = asked(asker, original)
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, updating.PUBLISHED)
    assert [one.content["title"] for one in look.candidates] == [OLD]
    assert updating.same_content(look.candidates[0].content, system.payload(DRAFT, OLD))


def test_a_post_in_the_trash_is_left_to_a_person(asker: Asker, system: WordPressSystem) -> None:
    original = made(asker)
    system.trash(DRAFT, original.result_id)
    assert read(asker, original.result_id).trashed
    answer = update(asker, original)
    assert (answer.outcome, answer.code) == (Outcome.EXISTS, updating.GONE)
    assert asked(asker, original).code == updating.GONE


def slowly(system: WordPressSystem, send: Callable[[], Any], meanwhile: Callable[[], object]) -> Any:
    """``send`` hangs in WordPress between its checks and its statement; ``meanwhile`` is done then."""
    system.site.fault("before", f"sleep:{HELD_S}")
    said: list[Any] = []
    thread = threading.Thread(target=lambda: said.append(send()))
    thread.start()
    while system.site.faults_left():
        time.sleep(0.01)
    meanwhile()
    thread.join()
    return said[0]


@pytest.mark.parametrize(
    "change", [{"title": "An editor's own words"}, {"content": "<p>Theirs.</p>"}], ids=str
)
def test_edited_while_the_update_is_saved(
    asker: Asker, system: WordPressSystem, change: dict[str, str]
) -> None:
    """The plugin compares in the statement itself. Without it the later one wins, and the editor's text is a revision."""
    original = made(asker)
    answer = slowly(
        system, lambda: update(asker, original), lambda: system.change(original.result_id, **change)
    )
    found = read(asker, original.result_id)
    theirs = {"title": "title", "content": "body"}
    if system.guard == Guard.CLIENT_ID:
        assert (answer.outcome, answer.code, answer.http_status) == (Outcome.EXISTS, updating.CHANGED, 412)
        assert all(found.content[theirs[name]] == text for name, text in change.items())
        assert asked(asker, original).code == updating.CHANGED
    else:
        assert answer.outcome == Outcome.DONE
        assert found.content["title"] == NEW


def test_published_while_the_update_is_saved(asker: Asker, system: WordPressSystem) -> None:
    """The plugin's comparison covers the status. WordPress alone takes the post back to a draft."""
    original = made(asker)
    answer = slowly(
        system,
        lambda: update(asker, original),
        lambda: system.change(original.result_id, status="publish"),
    )
    if system.guard == Guard.CLIENT_ID:
        assert (answer.outcome, answer.code) == (Outcome.EXISTS, updating.CHANGED)
        assert row(system, original.result_id) == ["publish", OLD]
    else:
        assert row(system, original.result_id)[0] == "draft"


def test_what_loses_the_comparison_writes_nothing_at_all(plugged: WordPressSystem) -> None:
    """No picture, no revision: WordPress writes those after the row."""
    asker = Asker(plugged)
    picture = asker.perform(FILE, a_marker()).result_id
    original = made(asker)

    def extras() -> list[list[str]]:
        number = int(original.result_id)
        return plugged.site.rows(
            f"SELECT 'meta', meta_key, meta_value FROM wp_postmeta WHERE post_id = {number} AND meta_key <> '_edit_last'"  # noqa: S608
            f" UNION ALL SELECT 'revision', post_title, '' FROM wp_posts WHERE post_parent = {number}"
        )

    changed: list[list[list[str]]] = []

    def edit() -> None:
        plugged.edit(original.result_id, "An editor's own words")
        changed.append(extras())

    answer = slowly(plugged, lambda: update(asker, original, featured_media=picture), edit)
    assert answer.code == updating.CHANGED
    assert extras() == changed[0]
    asker.connector.close()


def test_many_updates_of_one_version_at_once(plugged: WordPressSystem) -> None:
    """Two senders, or a late first request: one gets through."""
    asker = Asker(plugged)
    for _round in range(ROUNDS):
        original = made(asker)
        answers = at_once(AT_ONCE, lambda n, of=original: update(asker, of, title=f"Kessel {n}"))  # type: ignore[misc]
        outcomes = Counter(answer.outcome for answer in answers)
        assert outcomes == {Outcome.DONE: 1, Outcome.EXISTS: AT_ONCE - 1}, outcomes
        winner = next(n for n, answer in enumerate(answers) if answer.outcome == Outcome.DONE)
        found = read(asker, original.result_id)
        assert (found.content["title"], found.version) == (f"Kessel {winner}", answers[winner].version)
    asker.connector.close()


def test_an_update_moves_nothing_else(asker: Asker, system: WordPressSystem) -> None:
    original = made(asker)
    columns = "post_status, post_name, post_author, guid, post_password, post_type"
    query = f"SELECT {columns} FROM wp_posts WHERE ID = {int(original.result_id)}"  # noqa: S608
    before = system.site.rows(query)
    answer = update(asker, original, **system.publishing_payload(), slug="other", author=1, sticky=True)
    assert answer.outcome == Outcome.DONE
    assert system.site.rows(query) == before


def test_the_same_words_within_the_same_second(asker: Asker) -> None:
    original = made(asker)
    assert update(asker, original, title=OLD).outcome == Outcome.DONE
    assert read(asker, original.result_id).content["title"] == OLD


def test_the_picture_is_part_of_the_content(asker: Asker) -> None:
    first, second = (asker.perform(FILE, a_marker()).result_id for _ in range(2))
    original = made(asker)
    assert update(asker, original, featured_media=first).outcome == Outcome.DONE
    found = read(asker, original.result_id)
    assert updating.same_content(found.content, {"featured_media": first})
    assert not updating.same_content(found.content, {"featured_media": second})


def test_a_file_is_read_and_removed(asker: Asker) -> None:
    marker = a_marker()
    file = asker.perform(FILE, marker, alt="Ein Kessel")
    look = asker.connector.read(kind=FILE, result_id=file.result_id, deadline_s=DEADLINE_S)
    assert [(one.marker, one.content["alt"]) for one in look.objects] == [(marker, "Ein Kessel")]
    removed = asker.connector.remove(kind=FILE, result_id=file.result_id, deadline_s=DEADLINE_S)
    gone = asker.connector.read(kind=FILE, result_id=file.result_id, deadline_s=DEADLINE_S)
    again = asker.connector.remove(kind=FILE, result_id=file.result_id, deadline_s=DEADLINE_S)
    assert (removed.outcome, gone.verdict) == (Outcome.DONE, Verdict.ABSENT), removed
    assert (again.outcome, again.code) == (Outcome.DONE, "not-there")


def test_a_published_post_is_not_removed(asker: Asker, system: WordPressSystem) -> None:
    original = made(asker)
    system.change(original.result_id, status="publish")
    answer = asker.connector.remove(kind=DRAFT, result_id=original.result_id, deadline_s=DEADLINE_S)
    assert (answer.outcome, answer.http_status) == (Outcome.REFUSED, 403), answer
    assert row(system, original.result_id)[0] == "publish"


def test_a_draft_of_somebody_else_cannot_be_told(asker: Asker, system: WordPressSystem) -> None:
    status, theirs, _ = system.site.ask("other", "POST", "/wp/v2/posts", {"title": "Theirs"})
    assert status == 201
    look = asker.connector.read(kind=DRAFT, result_id=str(theirs["id"]), deadline_s=DEADLINE_S)
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "forbidden")


def listed(asker: Asker, kind: Kind = DRAFT, **how: Any) -> list[FoundObject]:
    return list(asker.connector.inventory(kind=kind, deadline_s=120, **how))


def test_an_inventory_goes_on_where_it_was(asker: Asker, system: WordPressSystem) -> None:
    """Also when posts before that place have been deleted, and when an editor's name stands over one of ours."""
    mine = [asker.perform(DRAFT, a_marker()).result_id for _ in range(6)]
    ((editor,),) = system.site.rows("SELECT ID FROM wp_users WHERE user_login = 'editor'")
    system.change(mine[4], author=int(editor))
    everything = listed(asker)
    numbers = [int(one.result_id) for one in everything]
    assert numbers == sorted(set(numbers))
    assert (mine[4] in {one.result_id for one in everything}) == (system.guard == Guard.CLIENT_ID)
    place = next(one.place for one in everything if one.result_id == mine[2])
    for result_id in mine[:2]:
        system.delete(DRAFT, result_id)
    later = asker.perform(DRAFT, a_marker()).result_id
    expected = [one.result_id for one in everything if int(one.result_id) > int(mine[2])]
    assert [one.result_id for one in listed(asker, after=place)] == [*expected, later]
    system.delete(DRAFT, mine[2])  # the place itself
    assert [one.result_id for one in listed(asker, after=place)] == [*expected, later]
    if system.guard == Guard.CLIENT_ID:
        foreign = next(one.place for one in everything if one.result_id == mine[4])
        assert [one.result_id for one in listed(asker, after=foreign)] == [mine[5], later]
    with pytest.raises(InventoryError) as cut:
        listed(asker, after="nonsense")
    assert cut.value.code == "bad-place"


def test_what_was_changed_lately(asker: Asker, system: WordPressSystem) -> None:
    """A draft that is made with a date in the past gets that date as the time of its last change."""
    old, touched = made(asker), made(asker)
    system.change(old.result_id, title="Saved once more")  # a draft that was saved again is certainly old
    system.site.rows(
        "UPDATE wp_posts SET post_modified = '2020-05-05 05:05:05', post_modified_gmt = '2020-05-05 03:05:05'"  # noqa: S608
        f" WHERE ID IN ({int(old.result_id)}, {int(touched.result_id)})"
    )
    since = datetime.now(UTC)
    system.change(touched.result_id, title="Touched")
    new = made(asker)
    body = {"title": "Backdated", "date": "2020-01-01T00:00:00"}
    status, backdated, _ = system.site.ask("delivery", "POST", "/wp/v2/posts", body)
    assert (status, backdated["modified"]) == (201, "2020-01-01T00:00:00")
    found = {one.result_id for one in listed(asker, changed_since=since)}
    assert {touched.result_id, new.result_id, str(backdated["id"])} <= found
    assert old.result_id not in found
    with pytest.raises(InventoryError) as cut:
        listed(asker, changed_since=since, after="1:1")
    assert cut.value.code == "cannot-go-on"


def test_files_that_were_changed_lately(asker: Asker) -> None:
    file = asker.perform(FILE, a_marker())
    assert file.result_id in {one.result_id for one in listed(asker, FILE, changed_since=datetime.now(UTC) - timedelta(hours=1))}  # fmt: skip


def test_a_plugin_that_is_too_old(plugged: WordPressSystem) -> None:
    """An older one answers the status route, and knows nothing of updates."""
    asker = Asker(plugged)
    older = plugged.site.content / "mu-plugins" / "older.php"
    older.write_text(
        "<?php add_filter( 'rest_request_after_callbacks', function ( $said, $handler, $request ) {"
        " return '/once/v1/status' === $request->get_route() ? array_merge( (array) $said, array( 'version' => '1.0.0', 'api' => 1 ) ) : $said;"
        " }, 10, 3 );"
    )
    try:
        wrong = [line for line in asker.connector.check() if not line.ok]
    finally:
        older.unlink()
    assert [(line.name, line.code, line.detail) for line in wrong] == [("plugin", "plugin-too-old", "1.0.0")]
    assert [line for line in asker.connector.check() if not line.ok] == []
    asker.connector.close()
