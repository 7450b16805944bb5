from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from billing.models import Bearer, Cause, Terms
from billing.people import NotFinanceError
from billing.services.apply_terms import apply_terms
from billing.services.open_books import open_books
from billing.services.save_quote import save_quote
from billing.services.save_scope import ScopeNameTakenError, save_scope
from billing.services.save_terms import save_terms
from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.common.errors import InvalidInputError
from reconciliation.decisions import Decision
from tests.builders import a_project, a_user

TODAY = timezone.localdate()


def a_form(**changes: str) -> dict[str, str]:
    return {
        "valid_from": TODAY.isoformat(),
        "currency": "CNY",
        "output_fee": "12.50",
        "platform_fee_bearer": "client",
        "client_rounds": "2",
        "storage_days": "30",
        "first_look_hours": "2",
        "resolution_hours": "5.5",
        "non_yield_by": "equally",
        "include-output": "on",
        **{f"bearer-{cause}": Bearer.VENDOR.value for cause in Cause.values},
    } | changes


def a_scope(**changes: str) -> dict[str, str]:
    return {
        "name": "autumn",
        "currency": "CNY",
        "rate_day": "2026-10-01",
        "outputs": "100",
        "locales": "2",
        "client_rounds": "1",
        "months": "3",
        "storage_days": "90",
        "resolution_hours": "8",
        "rejected": "10",
        "unaccepted": "2.5",
        "duplicate": "1",
        "uncertain": "1",
    } | changes


@pytest.fixture
def project() -> Project:
    made = a_project()
    open_books(project=made)
    return made


@pytest.fixture
def finance(project: Project) -> User:
    user = a_user("fay")
    Membership.objects.create(project=project, user=user, role=Role.FINANCE)
    return user


@pytest.mark.django_db
def test_a_version_that_holds_today_decides_how_cases_are_handled(project: Project, finance: User) -> None:
    made = save_terms(
        project=project, user=finance, typed=a_form(), needs_approval=[Decision.ABSENT, "nonsense"]
    )
    project.refresh_from_db()
    assert (made.number, made.needs_approval) == (2, ["absent"])
    assert (project.case_hours, project.needs_client) == (6, ["absent"])  # hours are whole: 5.5 is 6
    Project.objects.filter(pk=project.pk).update(case_hours=9)
    assert not apply_terms(project=project)  # once a version: what the admin sets later stays
    project.refresh_from_db()
    assert project.case_hours == 9


@pytest.mark.django_db
def test_a_version_of_tomorrow_waits(project: Project, finance: User) -> None:
    save_terms(
        project=project, user=finance, typed=a_form(valid_from=(TODAY + timedelta(days=2)).isoformat())
    )
    project.refresh_from_db()
    assert project.case_hours == 8
    assert project.needs_client == []


@pytest.mark.django_db
def test_each_field_says_what_is_wrong_and_nothing_is_kept(project: Project, finance: User) -> None:
    wrong = {
        "valid_from": "1.10.2026",
        "currency": "XXQ",
        "output_fee": "1,50",
        "bearer-normal": "me",
        "client_rounds": "1.5",
    }
    with pytest.raises(InvalidInputError) as refused:
        save_terms(project=project, user=finance, typed=a_form(**wrong))
    assert {problem.column: problem.code for problem in refused.value.problems} == {
        "valid_from": "no-date",
        "currency": "unknown-currency",
        "output_fee": "no-number",
        "bearer-normal": "no-choice",
        "client_rounds": "no-number",
    }
    assert Terms.objects.filter(project=project).count() == 1


@pytest.mark.django_db
def test_books_are_kept_by_finance(project: Project) -> None:
    viewer = a_user("vic")
    Membership.objects.create(project=project, user=viewer, role=Role.VIEWER)
    with pytest.raises(NotFinanceError):
        save_terms(project=project, user=viewer, typed=a_form())
    with pytest.raises(NotFinanceError):
        save_scope(project=project, user=viewer, typed=a_scope())


@pytest.mark.django_db
def test_the_first_quote_freezes_the_scope_and_another_replaces_a_vendors_prices(
    project: Project, finance: User
) -> None:
    scope = save_scope(project=project, user=finance, typed=a_scope())
    assert scope.frozen_at is None
    with pytest.raises(ScopeNameTakenError):
        save_scope(project=project, user=finance, typed=a_scope())
    save_quote(
        scope=scope, user=finance, typed={"vendor": "Acme", "currency": "cny", "output": "40", "export": ""}
    )
    quote = save_quote(
        scope=scope, user=finance, typed={"vendor": "Acme", "currency": "CNY", "output": "39.5"}
    )
    scope.refresh_from_db()
    assert scope.frozen_at is not None
    assert scope.quotes.count() == 1
    assert quote.prices == {"output": "39.5"}
    with pytest.raises(InvalidInputError):
        save_quote(scope=scope, user=finance, typed={"vendor": "", "currency": "CNY", "output": "-1"})
