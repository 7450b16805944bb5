"""A report that a real worker writes while others watch how far it is; killed, it is begun anew."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import psutil
import pytest
from django.db import connection
from pytest_django import Settings

from billing.exports.place import link_token
from billing.models import Export, ExportStatus
from billing.reports.scope import ReportScope
from billing.services.ask_export import ask_export
from billing.services.fetch_export import fetch_export
from billing.tasks import keep_exports, make_export
from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.config.celery import app
from tests.billing.exports.reading import csv_rows, summed
from tests.billing.reports.world import accounts, entry, post
from tests.builders import a_user
from tests.workers import PGMQ, sending_to, wait_for, worker

pytestmark = [pytest.mark.real, pytest.mark.django_db(transaction=True)]

ENTRIES = 30_000
MOST_BYTES = 300_000_000


@pytest.fixture
def over_pgmq(transactional_db: None) -> Iterator[None]:
    with sending_to(app, PGMQ):
        yield
    with connection.cursor() as cursor:
        cursor.execute("SELECT pgmq.purge_queue('once')")


@pytest.fixture
def project(over_pgmq: None) -> Project:
    found = accounts()
    post(*(entry(found, "0.01", description=f"entry {number}") for number in range(ENTRIES)))
    return found


@pytest.fixture
def finance(project: Project) -> User:
    user = a_user("finance")
    Membership.objects.create(project=project, user=user, role=Role.FINANCE)
    return user


def again(export: Export) -> Export:
    return Export.objects.get(pk=export.pk)


def far(export: Export) -> bool:
    found = again(export)
    return found.status == ExportStatus.RUNNING and 0 < found.rows < ENTRIES


def memory(process: subprocess.Popen[bytes]) -> int:
    parent = psutil.Process(process.pid)
    return max(one.memory_info().rss for one in (parent, *parent.children(recursive=True)))


def test_a_killed_export_is_made_by_the_next_worker(
    project: Project, finance: User, tmp_path: Path, settings: Settings
) -> None:
    settings.STATE_DIR = tmp_path
    export = ask_export(user=finance, scope=ReportScope(project), report="ledger", format="csv_systems")
    with worker(tmp_path / "first.log", module="once_delivery.config", ONCE_STATE_DIR=str(tmp_path)) as first:
        make_export.delay(export.pk)
        wait_for(lambda: far(export), 120)
        assert again(export).rows_total == ENTRIES
        assert memory(first) < MOST_BYTES
        first.send_signal(signal.SIGKILL)
    assert again(export).status == ExportStatus.RUNNING
    with worker(tmp_path / "second.log", module="once_delivery.config", ONCE_STATE_DIR=str(tmp_path)):
        keep_exports.delay()
        wait_for(lambda: again(export).status == ExportStatus.DONE, 240)
    fetched = fetch_export(user=finance, project=project, token=link_token(export, finance))
    rows = csv_rows(fetched.path)
    assert (len(rows), summed(list(rows), "BilledCost")) == (ENTRIES, Decimal("300.00"))
    assert list((tmp_path / "exports" / "making").iterdir()) == []
