from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from once_delivery.accounts.models import Membership, Project, Role, User
from tests.billing.reports.world import Books2026, september
from tests.builders import a_user


@pytest.fixture(autouse=True)
def files(settings: Settings, tmp_path: Path) -> Path:
    """Exports of a test lie in its own folder."""
    settings.STATE_DIR = tmp_path
    return tmp_path / "exports"


@pytest.fixture
def world() -> Books2026:
    return september()


def a_member(project: Project, role: Role, name: str = "") -> User:
    user = a_user(name or role)
    Membership.objects.get_or_create(project=project, user=user, defaults={"role": role})
    return user
