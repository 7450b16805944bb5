"""Whose cases pass on, and what asking for them costs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from once_delivery.accounts.models import Membership, Project, User
from once_delivery.ledger.clock import database_now
from reconciliation.models import Case, CaseKind
from reconciliation.services.pass_on_cases import pass_on_cases
from tests.billing.deliveries import at, tasks_of, worked_on
from tests.builders import a_project, a_user

pytestmark = pytest.mark.django_db


def with_cases(project: Project, owner: User, products: str = "abc") -> Project:
    for task in tasks_of(project, *((product, 1) for product in products)):
        worked_on(task, CaseKind.DUPLICATE, at(9), 0)
    Case.objects.filter(project=project).update(owner=owner, status="open", resolution="", resolved_at=None)
    return project


def owners(project: Project) -> set[str]:
    return set(Case.objects.filter(project=project).values_list("owner__username", flat=True))


def test_cases_of_who_is_gone_pass_on_and_the_others_are_not_even_read(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    here, away, stopped, gone = (a_user(name) for name in ("here", "away", "stopped", "gone"))
    projects = {one.username: with_cases(a_project(one.username), one) for one in (here, away, stopped, gone)}
    for user in (here, away, stopped):
        Membership.objects.create(project=projects[user.username], user=user, role="ops_owner")
    Membership.objects.create(project=projects["gone"], user=here, role="viewer")
    now = database_now()
    Membership.objects.filter(user=away).update(absent_until=now + timedelta(days=1))
    Membership.objects.filter(user=here).update(absent_until=now - timedelta(days=1))
    User.objects.filter(pk=stopped.pk).update(is_active=False)
    assert pass_on_cases() == 9
    assert {name: owners(project) for name, project in projects.items()} == {
        "here": {"here"},
        "away": {"ops"},
        "stopped": {"ops"},
        "gone": {"ops"},
    }
    with django_assert_num_queries(2):  # what time it is, and whose owner is gone
        assert pass_on_cases() == 0


def test_where_nobody_is_there_a_case_keeps_its_owner_and_a_project_is_asked_once(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    project = with_cases(a_project(), a_user("gone"), "abcdef")
    Membership.objects.filter(project=project).delete()
    Case.objects.filter(project=project).update(owner=project.default_owner)
    with django_assert_num_queries(4):  # and of the project its members, and once an owner who may be another
        assert pass_on_cases() == 0
    assert owners(project) == {project.default_owner.username}
