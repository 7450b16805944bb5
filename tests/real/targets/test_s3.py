"""Ceph's S3 gateway 16: a bucket as it comes, and one that keeps versions."""

from __future__ import annotations

import pytest

from once_delivery.targets.base import Kind
from once_delivery.targets.profile import Guard
from tests.real.systems.ceph import CephServer
from tests.real.targets.contract import Contract
from tests.real.targets.drilling import Drilling
from tests.real.targets.probing import Probing
from tests.real.targets.recovery import Recovery
from tests.real.targets.renewing import Renewing
from tests.real.targets.s3_system import S3System, make_bucket
from tests.real.targets.updating import Updating

pytestmark = pytest.mark.real
DRAFT = Kind.CREATE_DRAFT


@pytest.fixture(scope="module")
def bucket(ceph: CephServer) -> str:
    return make_bucket(ceph, versioned=False)


@pytest.fixture(scope="module")
def versioned(ceph: CephServer) -> str:
    return make_bucket(ceph, versioned=True)


@pytest.fixture
def system(ceph: CephServer, bucket: str) -> S3System:
    return S3System(ceph, bucket)


class TestABucket(Contract, Updating):
    @pytest.fixture(params=[Kind.CREATE_DRAFT, Kind.UPLOAD_FILE], ids=str)
    def kind(self, request: pytest.FixtureRequest) -> Kind:
        kind: Kind = request.param
        return kind


class TestABucketWithVersions(Contract, Recovery, Drilling, Probing):
    @pytest.fixture
    def system(self, ceph: CephServer, versioned: str) -> S3System:
        return S3System(ceph, versioned, versioned=True)

    @pytest.fixture(params=[Kind.CREATE_DRAFT, Kind.UPLOAD_FILE], ids=str)
    def kind(self, request: pytest.FixtureRequest) -> Kind:
        kind: Kind = request.param
        return kind


class TestRecovery(Recovery, Renewing, Drilling, Probing):
    """``system`` is the module's."""


class TestAFalseClaim(Probing):
    """Versions kept, and conditions declared to be heard: the probe sees that they are not."""

    refuted_claims = frozenset({"guard", "other_content"})

    @pytest.fixture
    def system(self, ceph: CephServer, versioned: str) -> S3System:
        system = S3System(ceph, versioned, versioned=True)
        system.guard = Guard.CLIENT_ID
        for name in ("conditional", "keys"):
            del system.declaration[name]
        return system
