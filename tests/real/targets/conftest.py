from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from tests.real.systems.ceph import CephServer, running_ceph
from tests.real.systems.directus import DirectusServer, running_directus
from tests.real.systems.directus_set_up import set_up
from tests.real.systems.ghost import GhostServer, running_ghost
from tests.real.systems.strapi import StrapiServer, running_strapi
from tests.real.systems.wagtail import WagtailServer, running_wagtail
from tests.real.targets.asking import Asker
from tests.real.targets.system import RealSystem
from tests.vendor_drill.given import proxy_running


@pytest.fixture(scope="session")
def strapi(
    tmp_path_factory: pytest.TempPathFactory, embedded_postgres: EmbeddedPostgres
) -> Iterator[StrapiServer]:
    """One start for all of its tests."""
    with running_strapi(tmp_path_factory.mktemp("strapi"), embedded_postgres) as server:
        yield server


@pytest.fixture(scope="session")
def wagtail(
    tmp_path_factory: pytest.TempPathFactory, embedded_postgres: EmbeddedPostgres
) -> Iterator[WagtailServer]:
    """One start for all of its tests."""
    with running_wagtail(tmp_path_factory.mktemp("wagtail"), embedded_postgres) as server:
        yield server


@pytest.fixture(scope="session")
def directus(
    tmp_path_factory: pytest.TempPathFactory, embedded_postgres: EmbeddedPostgres
) -> Iterator[DirectusServer]:
    """One start for all of its tests."""
    with running_directus(tmp_path_factory.mktemp("directus"), embedded_postgres) as server:
        yield set_up(server)


@pytest.fixture(scope="session")
def ghost(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GhostServer]:
    """One start for all of its tests."""
    with running_ghost(tmp_path_factory.mktemp("ghost")) as server:
        yield server


@pytest.fixture(scope="session")
def ceph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CephServer]:
    """One start for all of its tests."""
    with running_ceph(tmp_path_factory.mktemp("ceph")) as server:
        yield server


@pytest.fixture
def drill_proxy(settings: Settings) -> Iterator[int]:
    """The port of the proxy of vendors' drills."""
    with proxy_running() as proxy:
        settings.DRILL_PROXY_URL = f"http://127.0.0.1:{proxy.port}"
        yield proxy.port


@pytest.fixture
def asker(system: RealSystem) -> Iterator[Asker]:
    made = Asker(system)
    yield made
    made.connector.close()
