"""Directus 11.17.4: updates in place beyond the common tests, inventories, uploads that were cut, limits of rate."""

from __future__ import annotations

import socket
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from once_delivery.ledger.marker import client_id_of
from once_delivery.targets import updating
from once_delivery.targets.base import FoundObject, InventoryError, Kind, Original, Outcome, Verdict
from once_delivery.targets.profile import Guard
from tests.real.systems.directus import DirectusServer, running_directus
from tests.real.targets.asking import Asker, a_marker, at_once
from tests.real.targets.directus_system import DirectusSystem
from tests.real.targets.updating import asked, made, read, update

pytestmark = pytest.mark.real
DRAFT, FILE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE


@pytest.fixture(params=[Guard.CLIENT_ID, Guard.LOOKUP], ids=str)
def system(directus: DirectusServer, request: pytest.FixtureRequest) -> DirectusSystem:
    return DirectusSystem(directus, request.param)


def listed(
    asker: Asker, kind: Kind = DRAFT, *, changed_since: datetime | None = None, after: str = ""
) -> list[FoundObject]:
    return list(
        asker.connector.inventory(kind=kind, deadline_s=120, changed_since=changed_since, after=after)
    )


def test_what_is_published_is_not_updated(asker: Asker, system: DirectusSystem) -> None:
    original = made(asker)
    system.change(original.result_id, status="published")
    published = Original(original.result_id, original.marker, read(asker, original.result_id).version)
    for one in (original, published):
        assert update(asker, one).outcome == Outcome.EXISTS
        look = asked(asker, one)
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, updating.PUBLISHED)


def test_another_marker_under_the_id_is_not_updated(asker: Asker, system: DirectusSystem) -> None:
    original, other = made(asker), a_marker()
    system.change(original.result_id, external_ref=other)
    moved = Original(original.result_id, original.marker, read(asker, original.result_id).version)
    assert update(asker, moved).outcome == Outcome.EXISTS
    assert asked(asker, moved).code == updating.FOREIGN


def test_updates_at_once_leave_one_draft_with_one_of_the_texts(asker: Asker) -> None:
    """Directus selects by the state and writes then, so that several may be told "done"; nothing is doubled."""
    original = made(asker)
    texts = [f"Text {number}" for number in range(8)]
    answers = at_once(8, lambda number: update(asker, original, title=texts[number]))
    outcomes = Counter(answer.outcome for answer in answers)
    assert set(outcomes) <= {Outcome.DONE, Outcome.EXISTS}, answers
    assert outcomes[Outcome.DONE] >= 1
    (held,) = asker.system.held(DRAFT, original.marker)
    done = {text for text, one in zip(texts, answers, strict=True) if one.outcome == Outcome.DONE}
    assert (held.title in done, held.live) == (True, False)
    # whoever comes later is for a state that is over
    assert update(asker, original).outcome == Outcome.EXISTS


def test_what_its_sender_gave_up_lands_all_the_same(asker: Asker) -> None:
    """Directus ends no request whose caller has gone: this is what the settle time is for."""
    marker = a_marker()
    with asker.system.paused():
        answer = asker.perform(DRAFT, marker, deadline_s=1.0)
    until = time.monotonic() + 20
    while asker.look(DRAFT, marker).verdict == Verdict.ABSENT and time.monotonic() < until:
        time.sleep(0.1)
    assert answer.outcome == Outcome.UNKNOWN
    assert asker.look(DRAFT, marker).verdict == Verdict.FOUND


def test_a_version_that_directus_never_gave_is_refused(asker: Asker) -> None:
    original = made(asker)
    answer = update(asker, Original(original.result_id, original.marker, "7"))
    assert (answer.outcome, answer.code) == (Outcome.REFUSED, "version-unknown")


def test_an_inventory_goes_on_behind_a_place(asker: Asker) -> None:
    for number in range(3):
        asker.perform(DRAFT, a_marker(), title=f"Number {number}")
    everything = listed(asker)
    middle = len(everything) // 2
    ids = [one.result_id for one in everything]
    behind = [one.result_id for one in listed(asker, after=everything[middle].place)]
    assert behind == ids[middle + 1 :]
    assert listed(asker, after=everything[-1].place) == []
    with pytest.raises(InventoryError, match="cannot-go-on"):
        listed(asker, after="nonsense")


def test_an_inventory_of_what_was_changed(asker: Asker, system: DirectusSystem) -> None:
    untouched, touched = asker.perform(DRAFT, a_marker()), asker.perform(DRAFT, a_marker())
    time.sleep(0.05)
    since = datetime.now(UTC)
    system.edit(touched.result_id, "Touched")
    new = asker.perform(DRAFT, a_marker())
    found = {one.result_id for one in listed(asker, changed_since=since)}
    assert {touched.result_id, new.result_id} <= found
    assert untouched.result_id not in found
    assert listed(asker, changed_since=datetime.now(UTC) + timedelta(hours=1)) == []


def test_an_inventory_of_items_with_one_date_and_with_none(
    asker: Asker, system: DirectusSystem, directus: DirectusServer
) -> None:
    """More of them than fit on a page: an import makes such."""
    made_at_once, dateless = "2001-01-01 00:00:00+00", None
    for date, number in ((made_at_once, 230), (dateless, 120)):
        key, value = ("id, ", "gen_random_uuid(), ") if system.guard == Guard.CLIENT_ID else ("", "")
        directus.rows(
            f"INSERT INTO {system.collection} ({key}title, status, date_created) "  # noqa: S608 -- ours
            f"SELECT {value}'imported', 'draft', %s::timestamptz FROM generate_series(1, {number}) RETURNING id",
            date,
        )
    try:
        found = [one for one in listed(asker) if one.title == "imported"]
        assert len({one.result_id for one in found}) == len(found) == 350
        assert sum(one.version == "" for one in found) == 120
        dated = [one for one in found if one.place]
        behind = [
            one for one in listed(asker, after=dated[150].place) if one.title == "imported" and one.place
        ]
        assert [one.result_id for one in behind] == [one.result_id for one in dated[151:]]
    finally:
        directus.rows(f"DELETE FROM {system.collection} WHERE title = 'imported' RETURNING 1")  # noqa: S608 -- ours


def test_an_inventory_while_objects_are_deleted(asker: Asker, system: DirectusSystem) -> None:
    """A page begins at a date and not at a number, so that nothing slips through."""
    doomed = [system.make_by_hand(f"Doomed {number}") for number in range(60)]
    kept = [system.make_by_hand(f"Kept {number}") for number in range(120)]
    seen = []
    for found in asker.connector.inventory(kind=DRAFT, deadline_s=120):
        seen.append(found.result_id)
        if found.result_id in doomed[30:50]:
            system.delete(DRAFT, doomed.pop(0))
    assert set(kept) <= set(seen)
    assert max(Counter(seen).values()) == 1


def test_files_are_listed_by_their_changes_too(directus: DirectusServer) -> None:
    asker = Asker(DirectusSystem(directus, Guard.CLIENT_ID))
    first = asker.perform(FILE, a_marker())
    time.sleep(0.05)
    since = datetime.now(UTC)
    second = asker.perform(FILE, a_marker())
    found = {one.result_id for one in listed(asker, FILE, changed_since=since)}
    assert (second.result_id in found, first.result_id in found) == (True, False)
    asker.connector.close()


def test_an_upload_that_was_cut_is_no_file(directus: DirectusServer) -> None:
    """Directus makes the row first, and keeps it when the bytes never come."""
    asker = Asker(DirectusSystem(directus, Guard.CLIENT_ID))
    marker = a_marker()
    _upload_half(directus, marker)
    until = time.monotonic() + 10
    while not asker.system.held(FILE, marker) and time.monotonic() < until:
        time.sleep(0.05)
    assert asker.perform(FILE, marker).outcome == Outcome.EXISTS
    look = asker.look(FILE, marker)
    assert (look.verdict, look.code, look.objects) == (Verdict.CANNOT_TELL, "file-incomplete", ())
    assert [one.status for one in look.candidates] == ["incomplete"]
    # a person deletes it: answered 500, and gone all the same
    assert directus.ask("editor", "DELETE", f"/files/{look.candidates[0].result_id}")[0] == 500
    assert asker.look(FILE, marker).verdict == Verdict.ABSENT
    assert asker.perform(FILE, marker).outcome == Outcome.DONE
    asker.connector.close()


def _upload_half(directus: DirectusServer, marker: str) -> None:
    parts = urlsplit(directus.base_url)
    fields = (("id", str(client_id_of(marker))), ("external_ref", marker))
    body = "".join(
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields
    )
    body += '--b\r\nContent-Disposition: form-data; name="file"; filename="k.png"\r\nContent-Type: image/png\r\n\r\n'
    head = (
        f"POST /files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {directus.tokens['delivery']}\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n"
    )
    with socket.create_connection((str(parts.hostname), parts.port or 0)) as connection:
        connection.sendall((head + body).encode() + b"x" * 5000)
        time.sleep(0.3)


@pytest.fixture
def limited(tmp_path: Path, embedded_postgres: EmbeddedPostgres) -> Iterator[DirectusServer]:
    """One that takes few requests from an address, whoever asks for whatever, and says when to come back."""
    limits = {"RATE_LIMITER_ENABLED": "true", "RATE_LIMITER_POINTS": "3", "RATE_LIMITER_DURATION": "3"}
    settings = {**limits, "RATE_LIMITER_STORE": "memory"}
    with running_directus(
        tmp_path / "limited", embedded_postgres, settings=settings, name="limited"
    ) as server:
        yield server


def test_what_comes_too_often_was_not_done(limited: DirectusServer) -> None:
    tokens = {"delivery": limited.tokens["admin"], **limited.tokens}
    asker = Asker(DirectusSystem(replace(limited, tokens=tokens), Guard.CLIENT_ID))
    answers = [asker.perform(DRAFT, a_marker()) for _ in range(4)]
    assert (answers[-1].outcome, answers[-1].code) == (Outcome.NOT_DONE, "http-429"), answers
    assert 0 < (answers[-1].retry_after_s or 0) <= 3
    look = asker.look(DRAFT, a_marker())
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "rate-limited")
    assert 0 < (look.retry_after_s or 0) <= 3
    asker.connector.close()
