"""Directus 12.4.0 without a licence: it refuses every rule about items, fields and values, and lets the rest work."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from once_delivery.targets.base import Connection, Connector, Kind, Outcome, Verdict
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import connect
from tests.real.systems import ServerFailedError
from tests.real.systems.directus import FILES_OF_12, DirectusServer, running_directus
from tests.real.systems.directus_set_up import ACCOUNTS, OPEN, make_account, make_collections
from tests.real.targets.asking import Asker, a_marker, at_once
from tests.real.targets.directus_system import DirectusSystem
from tests.real.targets.updating import made, read, update

pytestmark = pytest.mark.real
DRAFT, FILE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE


@pytest.fixture(scope="module")
def directus_12(
    tmp_path_factory: pytest.TempPathFactory, embedded_postgres: EmbeddedPostgres
) -> Iterator[DirectusServer]:
    folder = tmp_path_factory.mktemp("directus-12")
    with running_directus(folder, embedded_postgres, name="directus_12", files=FILES_OF_12) as server:
        make_collections(server)
        yield server


@pytest.fixture(scope="module")
def token(directus_12: DirectusServer) -> str:
    """Of an account that may do everything with articles: less cannot be said without a licence."""
    return make_account(directus_12, "open", OPEN)


@pytest.fixture
def system(directus_12: DirectusServer, token: str) -> DirectusSystem:
    tokens = {"delivery": token, "editor": token}
    server = DirectusServer(directus_12.base_url, tokens, directus_12.process, directus_12.database)
    return DirectusSystem(server, Guard.CLIENT_ID)


@pytest.fixture
def connector(system: DirectusSystem) -> Iterator[Connector]:
    way: Connection = system.connection()
    made_one = connect("directus", way)
    yield made_one
    made_one.close()


def test_the_rules_of_the_readme_are_refused(directus_12: DirectusServer) -> None:
    with pytest.raises(ServerFailedError, match="RESOURCE_RESTRICTED"):
        make_account(directus_12, "delivery", ACCOUNTS["delivery"])


def test_the_connection_test_says_that_the_account_may_publish(connector: Connector) -> None:
    assert [(line.name, line.code) for line in connector.check() if not line.ok] == [
        ("cannot-publish", "may-publish")
    ]


@pytest.mark.parametrize("kind", [DRAFT, FILE], ids=str)
def test_one_object_for_one_marker(asker: Asker, system: DirectusSystem, kind: Kind) -> None:
    marker = a_marker()
    assert asker.look(kind, marker).verdict == Verdict.ABSENT
    answers = at_once(8, lambda _: asker.perform(kind, marker))
    assert {one.outcome for one in answers} <= {Outcome.DONE, Outcome.EXISTS}, answers
    (held,) = system.held(kind, marker)
    assert [one.result_id for one in asker.look(kind, marker).objects] == [held.result_id]
    asker.connector.remove(kind=kind, result_id=held.result_id, deadline_s=20)
    assert asker.look(kind, marker).verdict == Verdict.ABSENT


def test_an_update_is_for_one_state(asker: Asker) -> None:
    original = made(asker)
    assert update(asker, original).outcome == Outcome.DONE
    assert update(asker, original, title="Too late").outcome == Outcome.EXISTS
    assert read(asker, original.result_id).content["title"] != "Too late"
    listed = asker.connector.inventory(kind=DRAFT, deadline_s=20)
    assert original.result_id in {one.result_id for one in listed}
