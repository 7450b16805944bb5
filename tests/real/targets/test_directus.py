"""Directus 11.17.4 on PostgreSQL: with IDs of ours and a unique marker field, and with neither."""

from __future__ import annotations

import pytest

from once_delivery.targets.base import Kind
from once_delivery.targets.profile import Guard
from tests.real.systems.directus import DirectusServer
from tests.real.targets.contract import Contract
from tests.real.targets.directus_system import DirectusSystem
from tests.real.targets.drilling import Drilling
from tests.real.targets.recovery import Recovery
from tests.real.targets.updating import Updating

pytestmark = pytest.mark.real
DRAFT = Kind.CREATE_DRAFT


class TestWithOurIds(Contract):
    @pytest.fixture(params=[Kind.CREATE_DRAFT, Kind.UPLOAD_FILE], ids=str)
    def kind(self, request: pytest.FixtureRequest) -> Kind:
        kind: Kind = request.param
        return kind


class TestUpdatingAndRecoveryWithOurIds(Updating, Recovery, Drilling):
    """``system`` is the module's."""


class TestByTheMarkerAlone(Contract, Updating, Recovery, Drilling):
    @pytest.fixture
    def system(self, directus: DirectusServer) -> DirectusSystem:
        return DirectusSystem(directus, Guard.LOOKUP)

    @pytest.fixture
    def kind(self) -> Kind:
        return Kind.CREATE_DRAFT


@pytest.fixture
def system(directus: DirectusServer) -> DirectusSystem:
    return DirectusSystem(directus, Guard.CLIENT_ID)
