"""Seed the demo: a client, a project, an account for each role, and three products with approved briefs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from once_delivery.accounts.models import Client, Membership, Project, User
from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.intake.demo_accounts import (
    DEFAULT_OWNER,
    ROLES,
    STAND_IN,
    DemoAccount,
    email_of,
    keep_passwords,
    kept_passwords,
    new_password,
)
from once_delivery.intake.errors import DemoNameTakenError
from once_delivery.intake.samples import autumn_launch
from once_delivery.ledger.intent import products
from once_delivery.ledger.intent.canonical import Wanted
from reconciliation.models.calendar import Calendar

PROJECT_CODE = "demo"
PROJECT_NAME = "演示项目 · Demo"
CLIENT_NAME = "演示客户 · Demo client"


@dataclass(frozen=True, slots=True)
class SeededDemo:
    """What there is now; ``made`` is False when all of it was there before."""

    project: Project
    accounts: tuple[DemoAccount, ...]
    products: int
    made: bool


def seed_demo() -> SeededDemo:
    """Afterwards the project “demo” is there with its people and products. Running it again changes nothing.

    Raises DemoNameTakenError when a demo account's name belongs to somebody who is not of the demo.
    """
    kept = kept_passwords()
    with transaction.atomic():
        users, passwords = _users(kept)
        project, made = _project(users)
        for name, role in ROLES.items():
            Membership.objects.get_or_create(project=project, user=users[name], defaults={"role": role})
        # office hours, so that a clock is seen to stand at night; what somebody has changed stays
        Calendar.objects.get_or_create(project=project)
        products_new = _products(project, users["marketing"])
        # inside the transaction: passwords that cannot be kept must not be set
        if passwords != kept:
            keep_passwords(passwords)
    return SeededDemo(
        project=project,
        accounts=tuple(_account(users[name], passwords[name]) for name in ROLES),
        products=project.products.count(),
        made=made or products_new > 0,
    )


def _users(kept: Mapping[str, str]) -> tuple[dict[str, User], dict[str, str]]:
    users = {user.username: user for user in User.objects.select_for_update().filter(username__in=ROLES)}
    for name, user in users.items():
        if not _of_demo_only(user):
            raise DemoNameTakenError(name=name)
    passwords = dict(kept)
    for name in ROLES:
        user = users.setdefault(name, User(username=name))
        if user.pk is None or name not in kept:
            passwords.setdefault(name, new_password())
            user.set_password(passwords[name])
            user.save()
        if not user.email:
            user.email = email_of(name)
            user.save(update_fields=["email"])
    return users, passwords


def _of_demo_only(user: User) -> bool:
    codes = set(user.memberships.values_list("project__code", flat=True))
    return codes == {PROJECT_CODE} and not user.is_superuser


def _project(users: Mapping[str, User]) -> tuple[Project, bool]:
    client, _ = Client.objects.get_or_create(name=CLIENT_NAME)
    return Project.objects.get_or_create(
        code=PROJECT_CODE,
        defaults={
            "client": client,
            "name": PROJECT_NAME,
            "default_owner": users[DEFAULT_OWNER],
            "stand_in_owner": users[STAND_IN],
        },
    )


def _products(project: Project, user: User) -> int:
    """The sample's products and their briefs, without deliveries: those need a target."""
    problems: list[Problem] = []
    wanted = [
        Wanted(request=one, key=(one.product, one.locale, one.purpose, one.input_version), actions=())
        for one in autumn_launch(target="").deliveries
    ]
    found = products.ensure(project=project, wanted=wanted, user=user, problems=problems)
    if problems:
        raise InvalidInputError(tuple(problems))
    return found.products_new


def _account(user: User, password: str) -> DemoAccount:
    shown = password if user.check_password(password) else None
    return DemoAccount(username=user.username, role=ROLES[user.username], password=shown)
