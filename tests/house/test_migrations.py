from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

OURS = {
    "accounts",
    "targets",
    "ledger",
    "reconciliation",
    "intake",
    "drill",
    "vendor_drill",
    "ui",
    "web",
    "config",
}


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.django_db
def test_every_migration_has_a_name_that_a_person_gave() -> None:
    names = [name for app, name in MigrationLoader(connection).disk_migrations if app in OURS]
    assert [name for name in names if re.search(r"_auto_|_alter_.*_and_more$", name)] == []


@pytest.mark.django_db
def test_migrations_of_an_app_form_one_line() -> None:
    assert MigrationLoader(connection).detect_conflicts() == {}
