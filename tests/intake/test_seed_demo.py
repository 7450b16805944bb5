from __future__ import annotations

import json
import stat
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.intake.demo_accounts import accounts_file
from once_delivery.intake.errors import DemoNameTakenError
from once_delivery.intake.services.seed_demo import seed_demo
from once_delivery.ledger.models import InputVersion, Product, Task
from reconciliation.models.calendar import Calendar

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _state_of_its_own(settings: Settings, tmp_path: Path) -> None:
    settings.STATE_DIR = tmp_path


def test_the_demo_has_people_products_and_owners() -> None:
    demo = seed_demo()

    project = Project.objects.get()
    assert (project.code, project.default_owner.username, project.stand_in_owner.username) == (
        "demo",
        "ops",
        "ops2",
    )
    assert dict(Membership.objects.values_list("user__username", "role")) == {
        "marketing": Role.MARKETING_LEAD,
        "ops": Role.OPS_OWNER,
        "ops2": Role.OPS_OWNER,
        "finance": Role.FINANCE,
        "viewer": Role.VIEWER,
        "client": Role.CLIENT_APPROVER,
        "admin": Role.ADMIN,
    }
    assert set(Role) == set(Membership.objects.values_list("role", flat=True))
    assert {user.email for user in User.objects.all()} == {
        f"{user.username}@example.com" for user in User.objects.all()
    }
    assert (Calendar.objects.get().project, Calendar.objects.get().days) == (project, [0, 1, 2, 3, 4])
    assert set(Product.objects.values_list("code", flat=True)) == {
        "gooseneck-kettle",
        "reading-lamp",
        "trail-bottle",
    }
    assert {version.number for version in InputVersion.objects.all()} == {1}
    assert not Task.objects.exists()
    assert (demo.made, demo.products) == (True, 3)


def test_each_account_signs_in_with_the_password_that_is_kept() -> None:
    demo = seed_demo()

    kept = json.loads(accounts_file().read_text(encoding="utf-8"))
    assert stat.S_IMODE(accounts_file().stat().st_mode) == 0o600
    assert kept == {account.username: account.password for account in demo.accounts}
    for user in User.objects.all():
        assert user.check_password(kept[user.username])
        assert not user.is_superuser


def test_again_changes_nothing() -> None:
    first = seed_demo()
    hashes = dict(User.objects.values_list("username", "password"))

    again = seed_demo()

    assert again.accounts == first.accounts
    assert not again.made
    assert dict(User.objects.values_list("username", "password")) == hashes
    assert (Project.objects.count(), Product.objects.count(), InputVersion.objects.count()) == (1, 3, 3)


def test_addresses_and_hours_that_somebody_changed_stay() -> None:
    seed_demo()
    User.objects.filter(username="ops").update(email="me@example.org")
    Calendar.objects.update(days=[0, 5])
    accounts_file().unlink()

    seed_demo()

    assert User.objects.get(username="ops").email == "me@example.org"
    assert Calendar.objects.get().days == [0, 5]


def test_a_password_that_somebody_changed_stays() -> None:
    seed_demo()
    user = User.objects.get(username="finance")
    user.set_password("another one")
    user.save()

    accounts = {account.username: account.password for account in seed_demo().accounts}

    assert accounts["finance"] is None
    assert accounts["ops"]
    user.refresh_from_db()
    assert user.check_password("another one")


@pytest.mark.parametrize("text", [None, "not JSON", "[]"])
def test_lost_passwords_are_made_anew(text: str | None) -> None:
    seed_demo()
    if text is None:
        accounts_file().unlink()
    else:
        accounts_file().write_text(text, encoding="utf-8")

    for account in seed_demo().accounts:
        assert account.password
        assert User.objects.get(username=account.username).check_password(account.password)


def test_somebody_elses_account_of_that_name_is_not_touched() -> None:
    admin = User.objects.create_user("admin", password="their own")

    with pytest.raises(DemoNameTakenError):
        seed_demo()

    admin.refresh_from_db()
    assert admin.check_password("their own")
    assert not Project.objects.exists()
    assert not accounts_file().exists()
    with pytest.raises(CommandError, match=r"^demo-name-taken: "):
        call_command("seed_demo", "--language", "en")


def test_the_command_prints_every_account() -> None:
    out = StringIO()

    call_command("seed_demo", "--language", "en", stdout=out)

    kept = json.loads(accounts_file().read_text(encoding="utf-8"))
    for name, password in kept.items():
        assert any(line.split()[:2] == [name, password] for line in out.getvalue().splitlines())
