"""What tests of the queue and of a case's page read, and what was found at the target."""

from __future__ import annotations

from django.utils import timezone

from once_delivery.accounts.models import Role
from once_delivery.ledger.models import Observation
from reconciliation.models import Case
from tests.web.conftest import World, signed_in
from tests.web.pages import read


def html(world: World, path: str, who: Role = Role.OPS_OWNER) -> str:
    response = signed_in(world.people[who]).get(path)
    assert response.status_code == 200
    return response.content.decode()


def text(world: World, path: str, who: Role = Role.OPS_OWNER) -> str:
    return " ".join(read(html(world, path, who)))


def page_of(world: World) -> str:
    return f"/cases/{world.case.uuid}/"


def other(world: World) -> Case:
    """The case of the refused action."""
    return Case.objects.exclude(pk=world.case.pk).get(project=world.project)


def looked(world: World, **values: object) -> None:
    action = world.case.action
    now = timezone.now()
    Observation.objects.create(
        project=action.project,
        action=action,
        **{
            "verdict": "absent",
            "method": "marker",
            "complete": True,
            "looked_at": now,
            "recorded_at": now,
            **values,
        },
    )
