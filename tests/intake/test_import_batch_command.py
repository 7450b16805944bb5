"""The command as people run it: what it prints, in which language, and its exit code."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from once_delivery.common.languages import terminal_language
from once_delivery.intake.management.commands import import_batch as command
from once_delivery.ledger.models import Batch, Task
from tests.builders import a_project, a_target, a_user
from tests.intake.files import HEADER, PNG, csv_bytes, row


@pytest.fixture
def folder(db: None, tmp_path: Path) -> Path:
    a_target(a_project())
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.png").write_bytes(PNG)
    rows = [[*row(), "images/a.png"], [*row(locale="ar"), "images/a.png"]]
    (tmp_path / "autumn.csv").write_bytes(csv_bytes(*rows, header=[*HEADER, "image"]))
    return tmp_path


def run(*arguments: str | Path, language: str = "en") -> str:
    out = StringIO()
    call_command("import_batch", *map(str, arguments), "--language", language, stdout=out)
    return out.getvalue()


def test_it_prints_what_was_done(folder: Path) -> None:
    assert run("aurora", folder / "autumn.csv", "--user", "ops").splitlines() == [
        "Batch “autumn”: 2 deliveries and 1 pictures, read from CSV.",
        "  products new        1",
        "  input versions new  1",
        "  tasks new           2",
        "  actions new         4",
        "  suppressed repeats  0",
        "  superseded          0",
        "Imported.",
    ]
    assert Batch.objects.get().requested_by == a_user("ops")


def test_a_dry_run_says_that_nothing_was_kept(folder: Path) -> None:
    printed = run("aurora", folder / "autumn.csv", "--dry-run", "--name", "Herbst")

    assert printed.startswith("Batch “Herbst”")
    assert printed.endswith("Dry run: nothing of this was kept.\n")
    assert not Task.objects.exists()


def test_problems_are_a_table_and_exit_code_1(folder: Path) -> None:
    (folder / "broken.csv").write_bytes(csv_bytes(row(locale="german"), row(title=""), delimiter=";"))
    out = StringIO()

    with pytest.raises(SystemExit) as caught:
        call_command("import_batch", "aurora", str(folder / "broken.csv"), "--language", "en", stdout=out)

    assert caught.value.code == 1
    assert out.getvalue().splitlines() == [
        "row  column      code            what",
        "2    B (locale)  unknown-locale  “german” is not a language tag (BCP 47), such as de-CH or zh-Hans.",
        "3    G (title)   missing-value   “title” is missing.",
        "Note: The cells are separated by “;”.",
        "Nothing was imported. Problems: 2.",
    ]


@pytest.mark.parametrize(
    ("_case", "arguments", "code"),
    [
        ("project", ["nowhere", "autumn.csv"], "unknown-project"),
        ("user", ["aurora", "autumn.csv", "--user", "nobody"], "not-a-member"),
        ("file", ["aurora", "absent.csv"], "unreadable-file"),
        ("folder", ["aurora", "images"], "unreadable-file"),
    ],
)
def test_wrong_use_is_exit_code_2(folder: Path, _case: str, arguments: list[str], code: str) -> None:
    project, file, *rest = arguments

    with pytest.raises(CommandError) as caught:
        run(project, folder / file, *rest)

    assert caught.value.returncode == 2
    assert str(caught.value).startswith(f"{code}: ")


def test_a_user_of_another_project_is_not_told_from_nobody(folder: Path) -> None:
    a_user("stranger")

    with pytest.raises(CommandError, match=r"^not-a-member: "):
        run("aurora", folder / "autumn.csv", "--user", "stranger")


def test_a_file_that_is_too_large_is_not_read(folder: Path) -> None:
    with (folder / "large.csv").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    out = StringIO()

    with pytest.raises(SystemExit):
        call_command("import_batch", "aurora", str(folder / "large.csv"), "--language", "en", stdout=out)

    assert "The file has 100.0 MB; 20 MB are allowed. Split it." in out.getvalue()


def test_a_database_that_fails_is_exit_code_3(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**_: object) -> None:
        raise OperationalError("could not extend file: No space left on device")

    monkeypatch.setattr(command, "import_batch", fails)

    with pytest.raises(CommandError, match=r"^database-failed: .*No space left") as caught:
        run("aurora", folder / "autumn.csv")
    assert caught.value.returncode == 3


def test_a_picture_outside_the_folder_is_not_read(folder: Path) -> None:
    (folder.parent / "secret.png").write_bytes(PNG)
    header = [*HEADER, "image"]
    (folder / "autumn.csv").write_bytes(csv_bytes([*row(), "../secret.png"], header=header))

    with pytest.raises(SystemExit):
        run("aurora", folder / "autumn.csv")


def test_the_language_asked_for_is_spoken(folder: Path) -> None:
    printed = run("aurora", folder / "autumn.csv", language="zh-hans")

    assert "批次“autumn”" in printed
    assert printed.endswith("已导入。\n")


@pytest.mark.parametrize(
    ("asked", "environment", "language"),
    [
        ("en", {"LANG": "zh_CN.UTF-8"}, "en"),
        (None, {"LANG": "zh_CN.UTF-8"}, "zh-hans"),
        (None, {"LC_ALL": "en_GB", "LANG": "zh_CN"}, "en"),
        (None, {"LANG": "C.UTF-8"}, "en"),
        (None, {}, "en"),
    ],
    ids=str,
)
def test_the_language_of_the_terminal(asked: str | None, environment: dict[str, str], language: str) -> None:
    assert terminal_language(asked, environment) == language
