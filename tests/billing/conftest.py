from __future__ import annotations

import pytest

from once_delivery.accounts.models import Project, User
from tests.billing.world import a_keeper, a_project_with_books


@pytest.fixture
def project(db: None) -> Project:
    return a_project_with_books()


@pytest.fixture
def finance(project: Project) -> User:
    return a_keeper(project)
