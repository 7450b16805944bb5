"""Strapi 5.54.0 on PostgreSQL: with our plugin, and as it comes with a policy that lets drafts alone through."""

from __future__ import annotations

import pytest

from once_delivery.targets.base import Kind
from once_delivery.targets.profile import Guard
from tests.real.systems.strapi import StrapiServer
from tests.real.targets.contract import Contract
from tests.real.targets.drilling import Drilling
from tests.real.targets.probing import Probing
from tests.real.targets.recovery import Recovery
from tests.real.targets.renewing import Renewing
from tests.real.targets.strapi_system import StrapiSystem
from tests.real.targets.updating import Updating

pytestmark = pytest.mark.real
DRAFT, FILE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE


@pytest.fixture(params=[Guard.CLIENT_ID, Guard.LOOKUP], ids=["plugin", "plain"])
def system(request: pytest.FixtureRequest, strapi: StrapiServer) -> StrapiSystem:
    return StrapiSystem(strapi, request.param)


@pytest.fixture(params=[DRAFT, FILE], ids=str)
def kind(request: pytest.FixtureRequest) -> Kind:
    kind: Kind = request.param
    return kind


class TestWithThePlugin(Contract, Updating):
    @pytest.fixture
    def system(self, strapi: StrapiServer) -> StrapiSystem:
        return StrapiSystem(strapi, Guard.CLIENT_ID)


class TestRecoveryWithThePlugin(Recovery, Renewing, Drilling, Probing):
    @pytest.fixture
    def system(self, strapi: StrapiServer) -> StrapiSystem:
        return StrapiSystem(strapi, Guard.CLIENT_ID)


class TestAsItComes(Contract, Updating):
    @pytest.fixture
    def system(self, strapi: StrapiServer) -> StrapiSystem:
        return StrapiSystem(strapi, Guard.LOOKUP)


class TestRecoveryAsItComes(Recovery, Drilling, Probing):
    @pytest.fixture
    def system(self, strapi: StrapiServer) -> StrapiSystem:
        return StrapiSystem(strapi, Guard.LOOKUP)


class TestAFalseClaim(Probing):
    """``client_id`` for a type that has no index."""

    refuted_claims = frozenset({"guard", "second_create", "at_once", "other_content"})

    @pytest.fixture
    def system(self, strapi: StrapiServer) -> StrapiSystem:
        system = StrapiSystem(strapi, Guard.LOOKUP)
        system.guard = Guard.CLIENT_ID
        return system
