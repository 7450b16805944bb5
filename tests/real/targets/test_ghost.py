"""Ghost 6.65.0 on MariaDB, by a contributor's staff token."""

from __future__ import annotations

import pytest

from once_delivery.targets.base import Kind
from tests.real.systems.ghost import GhostServer
from tests.real.targets.asking import Asker, a_marker
from tests.real.targets.contract import Contract
from tests.real.targets.drilling import Drilling
from tests.real.targets.ghost_system import GhostSystem
from tests.real.targets.probing import Probing
from tests.real.targets.recovery import Recovery
from tests.real.targets.renewing import Renewing
from tests.real.targets.updating import Updating

pytestmark = pytest.mark.real
DRAFT, UPDATE, FILE = Kind.CREATE_DRAFT, Kind.UPDATE_DRAFT, Kind.UPLOAD_FILE


@pytest.fixture
def kind() -> Kind:
    return DRAFT


@pytest.fixture
def system(ghost: GhostServer) -> GhostSystem:
    return GhostSystem(ghost)


class TestGhost(Contract, Updating, Recovery, Renewing, Drilling, Probing):
    @pytest.fixture
    def asker(self, asker: Asker) -> Asker:
        """One that knows whose key it has: before its first draft a connector asks."""
        asker.perform(DRAFT, a_marker())
        return asker
