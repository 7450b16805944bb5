"""What the tests of cases begin with."""

from __future__ import annotations

from datetime import datetime, timedelta

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.ledger.clock import database_now
from once_delivery.notices.models import Message
from reconciliation.models import (
    Case,
    CaseEvent,
)
from tests.builders import a_project, a_user


def again(case: Case) -> Case:
    return Case.objects.select_related("project", "action").get(pk=case.pk)


def member(name: str, role: Role) -> User:
    user = a_user(name)
    Membership.objects.create(project=a_project(), user=user, role=role)
    return user


def told() -> list[tuple[str, str]]:
    return list(Message.objects.order_by("pk").values_list("event", "address"))


def events(case: Case) -> list[str]:
    return list(CaseEvent.objects.filter(case=case).order_by("pk").values_list("kind", flat=True))


def grown_old(case: Case, percent: float) -> None:
    now = database_now()
    whole = timedelta(hours=case.project.case_hours)
    Case.objects.filter(pk=case.pk).update(
        opened_at=now - whole * percent / 100, due_at=now + whole * (100 - percent) / 100
    )


def later() -> datetime:
    return database_now() + timedelta(hours=3)
