from __future__ import annotations

import pytest

from once_delivery.accounts.models import Membership, Project, Role, User
from tests.builders import a_project, a_user


@pytest.fixture
def project(db: None) -> Project:
    return a_project()


@pytest.fixture
def admin(project: Project) -> User:
    user = a_user("ada")
    Membership.objects.create(project=project, user=user, role=Role.ADMIN)
    return user
