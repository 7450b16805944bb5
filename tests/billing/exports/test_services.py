from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from billing.exports.place import LINK_LIVES, link_token, path_of
from billing.exports.rights import NoExportRightError
from billing.models import Export, ExportEvent, ExportStatus
from billing.reports.registry import UnknownReportError
from billing.reports.scope import ReportScope
from billing.services import make_export as making
from billing.services.ask_export import (
    OPEN_AT_ONCE,
    NotForClientsError,
    TooManyExportsError,
    UnknownFormatError,
    ask_export,
)
from billing.services.expire_exports import expire_exports
from billing.services.fetch_export import (
    ExportNotReadyError,
    ExportOverError,
    NoSuchExportError,
    fetch_export,
)
from billing.services.make_export import GIVEN_UP_AFTER, make_export, unfinished_exports
from once_delivery.accounts.models import Membership, Role, User
from once_delivery.ledger.clock import database_now
from tests.billing.exports.conftest import a_member
from tests.billing.exports.reading import csv_rows, summed
from tests.billing.reports.world import SEPTEMBER, Books2026
from tests.builders import a_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def finance(world: Books2026) -> User:
    return a_member(world.project, Role.FINANCE)


def asked(world: Books2026, user: User, report: str = "per_asset", **changes: str) -> Export:
    scope = ReportScope(world.project, SEPTEMBER, SEPTEMBER)
    given = {"format": "csv_excel", "profile": "internal"}
    return ask_export(user=user, scope=scope, report=report, **given | changes)


def made(world: Books2026, user: User, **changes: str) -> Export:
    found = make_export(export_id=asked(world, user, **changes).pk)
    assert found is not None
    assert found.status == ExportStatus.DONE, found.code
    return found


def said(export: Export) -> list[str]:
    return list(ExportEvent.objects.filter(export=export).order_by("pk").values_list("kind", flat=True))


def test_from_asking_to_fetching(world: Books2026, finance: User, files: Path) -> None:
    export = made(world, finance)
    assert (export.rows, export.rows_total, export.control["rows"]) == (9, 9, 9)
    assert export.control["cost"] == "977.470000"
    assert export.file_name.startswith("aurora_per_asset_2026-09_posted_")
    fetched = fetch_export(user=finance, project=world.project, token=link_token(export, finance))
    assert fetched.path.is_relative_to(files)
    assert fetched.size == export.size
    assert summed(csv_rows(fetched.path), "total_cost") == Decimal("977.47")
    assert said(export) == ["asked", "made", "fetched"]
    assert make_export(export_id=export.pk) is None  # a message that comes twice
    with pytest.raises(IntegrityError, match="append_only"), transaction.atomic():
        ExportEvent.objects.filter(export=export).update(kind="made")


def test_a_link_is_for_one_person_and_one_project(world: Books2026, finance: User) -> None:
    export = made(world, finance)
    other = a_member(world.project, Role.FINANCE, "another")
    elsewhere = a_project("borealis")
    Membership.objects.create(project=elsewhere, user=finance, role=Role.FINANCE)
    token = link_token(export, finance)
    for user, project, used in (
        (other, world.project, token),
        (finance, elsewhere, token),
        (other, world.project, link_token(export, other)),
        (finance, world.project, token[:-1]),
        (finance, world.project, "made-up"),
    ):
        with pytest.raises(NoSuchExportError):
            fetch_export(user=user, project=project, token=used)


def test_a_link_ends(world: Books2026, finance: User, monkeypatch: pytest.MonkeyPatch) -> None:
    export = made(world, finance)
    token = link_token(export, finance)
    monkeypatch.setattr("billing.exports.place.LINK_LIVES", -LINK_LIVES)
    with pytest.raises(NoSuchExportError):
        fetch_export(user=finance, project=world.project, token=token)


def test_whoever_lost_the_right_gets_nothing(world: Books2026, finance: User) -> None:
    export, later = made(world, finance), asked(world, finance)
    Membership.objects.filter(user=finance).update(role=Role.VIEWER)
    with pytest.raises(NoSuchExportError):
        fetch_export(user=finance, project=world.project, token=link_token(export, finance))
    assert said(export)[-1] == "refused"
    found = make_export(export_id=later.pk)
    assert found is not None
    assert (found.status, found.code) == (ExportStatus.FAILED, "no-export-right")


def test_files_are_kept_for_their_time(world: Books2026, finance: User) -> None:
    export = made(world, finance)
    path = path_of(export)
    assert path is not None
    assert expire_exports() == 0
    Export.objects.filter(pk=export.pk).update(expires_at=database_now() - timedelta(seconds=1))
    with pytest.raises(ExportOverError):
        fetch_export(user=finance, project=world.project, token=link_token(export, finance))
    assert expire_exports() == 1
    assert not path.exists()
    assert said(export)[-1] == "expired"
    assert expire_exports() == 0


def test_who_may_ask_for_what(world: Books2026, finance: User) -> None:
    approver = a_member(world.project, Role.CLIENT_APPROVER)
    for role in (Role.VIEWER, Role.MARKETING_LEAD, Role.OPS_OWNER):
        with pytest.raises(NoExportRightError):
            asked(world, a_member(world.project, role, f"a-{role}"), profile="client")
    with pytest.raises(NoExportRightError):
        asked(world, approver)
    assert asked(world, approver, profile="client").filters["viewpoint"] == "client"
    with pytest.raises(NotForClientsError):
        asked(world, finance, report="supplier_lines", profile="client")
    with pytest.raises(UnknownReportError):
        asked(world, finance, report="nothing")
    with pytest.raises(UnknownFormatError):
        asked(world, finance, format="pdf")


def test_one_person_has_a_few_at_once(world: Books2026, finance: User) -> None:
    exports = [asked(world, finance) for _ in range(OPEN_AT_ONCE)]
    with pytest.raises(TooManyExportsError):
        asked(world, finance)
    assert unfinished_exports() == [one.pk for one in exports]
    with pytest.raises(ExportNotReadyError):
        fetch_export(user=finance, project=world.project, token=link_token(exports[0], finance))


def test_what_a_killed_worker_left_is_begun_anew_and_not_for_ever(
    world: Books2026, finance: User, files: Path
) -> None:
    export = asked(world, finance)
    Export.objects.filter(pk=export.pk).update(status=ExportStatus.RUNNING, rows=5)
    (files / "making" / str(export.uuid)).mkdir(parents=True)
    (files / "making" / str(export.uuid) / "half").write_text("half")
    found = make_export(export_id=export.pk)
    assert found is not None
    assert found.status == ExportStatus.DONE
    assert list((files / "making").iterdir()) == []
    other = asked(world, finance)
    long_ago = database_now() - GIVEN_UP_AFTER - timedelta(minutes=1)
    Export.objects.filter(pk=other.pk).update(status=ExportStatus.RUNNING, began_at=long_ago)
    found = make_export(export_id=other.pk)
    assert found is not None
    assert (found.status, found.code) == (ExportStatus.FAILED, "gave-up")


def test_that_it_waited_for_a_worker_is_not_held_against_it(
    world: Books2026, finance: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = asked(world, finance)
    long_ago = database_now() - GIVEN_UP_AFTER - timedelta(minutes=1)
    Export.objects.filter(pk=export.pk).update(asked_at=long_ago)

    def killed(**_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(making, "write_report", killed)
        with pytest.raises(SystemExit):
            make_export(export_id=export.pk)
    began = Export.objects.get(pk=export.pk).began_at
    assert began is not None
    found = make_export(export_id=export.pk)
    assert found is not None
    assert (found.status, found.began_at) == (
        ExportStatus.DONE,
        began,
    )  # since when it is tried, not for how often


def test_the_command_writes_a_file(world: Books2026, finance: User, tmp_path: Path) -> None:
    out = StringIO()
    call_command(
        "export_costs",
        "aurora",
        "ledger",
        "--user",
        finance.username,
        "--first",
        "2026-09",
        "--output",
        str(tmp_path),
        stdout=out,
    )
    (path,) = tmp_path.glob("aurora_ledger_2026-09_posted_*.csv")
    assert summed(csv_rows(path), "BilledCost") == Decimal("977.47")
    with pytest.raises(CommandError, match="bad-scope"):
        call_command("export_costs", "aurora", "ledger", "--user", finance.username, "--first", "2026-13")
