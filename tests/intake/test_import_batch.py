"""Import against the ledger: all or nothing, the same again adds nothing, approved content does not change."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Any

import pytest
from django.test import override_settings

from once_delivery.accounts.models import Project
from once_delivery.common.canonical import fingerprint
from once_delivery.common.sheets.problems import ImportRefusedError
from once_delivery.intake.report import ImportReport
from once_delivery.intake.services.import_batch import import_batch
from once_delivery.ledger.models import Action, ActionNeed, Batch, InputVersion, Product, StoredFile, Task
from tests.builders import a_project, a_target, a_user
from tests.intake.files import HEADER, PNG, csv_bytes, json_bytes, json_rows, row, xlsx_bytes

pytestmark = pytest.mark.django_db

WITH_IMAGE = (*HEADER, "image", "image_alt")
KEPT = (Action, ActionNeed, Batch, InputVersion, Product, StoredFile, Task)


@pytest.fixture
def project() -> Project:
    project = a_project()
    a_target(project)
    return project


def importing(project: Project, data: bytes, file_name: str = "autumn.csv", **options: Any) -> ImportReport:
    return import_batch(project=project, data=data, file_name=file_name, user=a_user(), **options)


def refused(
    project: Project, data: bytes, file_name: str = "autumn.csv", **options: Any
) -> ImportRefusedError:
    before = counts()
    with pytest.raises(ImportRefusedError) as caught:
        importing(project, data, file_name, **options)
    assert counts() == before
    return caught.value


def counts() -> list[int]:
    return [model._default_manager.count() for model in KEPT]


def with_image(**changes: Any) -> list[Any]:
    return [*row(**changes), "a.png", "Kessel"]


def test_tasks_actions_files_and_the_version_are_kept(project: Project) -> None:
    data = csv_bytes(with_image(), with_image(locale="ja-JP"), header=WITH_IMAGE)

    report = importing(project, data, attachments={"a.png": PNG})

    result = report.result
    assert (report.batch_name, report.deliveries, report.files, report.dry_run) == ("autumn", 2, 1, False)
    assert (result.tasks_new, result.actions_new, result.suppressed, result.superseded) == (2, 4, 0, 0)
    assert (result.products_new, result.versions_new) == (1, 1)
    assert counts() == [4, 2, 1, 1, 1, 1, 2]
    draft = Action.objects.get(kind="create_draft", task__locale="ja-JP")
    assert draft.payload["featured_media"] == {"$result": "hero-image"}
    assert ActionNeed.objects.get(action=draft).needs.kind == "upload_file"
    batch = Batch.objects.get()
    assert (batch.name, batch.source_name, batch.requested_by) == ("autumn", "autumn.csv", a_user())
    assert InputVersion.objects.get().content == {"text": "Ruhig."}


def test_a_dry_run_tells_the_same_and_leaves_nothing(project: Project) -> None:
    data = csv_bytes(with_image(), header=WITH_IMAGE)
    files = {"a.png": PNG}

    dry = importing(project, data, attachments=files, dry_run=True)
    assert counts() == [0] * len(KEPT)
    wet = importing(project, data, attachments=files)

    assert dry.dry_run
    assert (dry.result.tasks_new, dry.result.actions_new, dry.result.versions_new) == (
        wet.result.tasks_new,
        wet.result.actions_new,
        wet.result.versions_new,
    )


def test_the_same_file_twice_adds_nothing(project: Project) -> None:
    data = csv_bytes(with_image(), with_image(locale="ja-JP"), header=WITH_IMAGE)
    importing(project, data, attachments={"a.png": PNG})
    before = counts()

    result = importing(project, data, attachments={"a.png": PNG}).result

    assert counts() == before
    assert (result.tasks_new, result.actions_new, result.suppressed) == (0, 0, 2)


def test_the_same_content_in_another_format_and_spelling_adds_nothing(project: Project) -> None:
    importing(project, csv_bytes(row()))
    again = row(product="KETTLE", locale="de_DE", purpose=" Product-Page ")

    for data, name in (
        (xlsx_bytes(again), "autumn.xlsx"),
        (json_bytes(json_rows(again)), "autumn.json"),
        (csv_bytes(again, encoding="utf-16"), "autumn.csv"),
    ):
        result = importing(project, data, name).result
        assert (result.tasks_new, result.actions_new, result.suppressed) == (0, 0, 1)


def test_a_repeated_row_is_a_suppressed_repeat(project: Project) -> None:
    result = importing(project, csv_bytes(row(), row())).result

    assert (result.tasks_new, result.actions_new, result.suppressed) == (1, 1, 1)


def test_changed_brief_under_an_approved_version_is_refused_with_both_fingerprints(project: Project) -> None:
    importing(project, csv_bytes(row()))

    error = refused(project, csv_bytes(row(locale="ar"), row(locale="ja-JP", brief="Laut.")[:5] + row()[5:]))
    assert error.problems[0].code == "rows-differ"

    error = refused(project, csv_bytes(row(locale="ar", brief="Laut.")))
    (problem,) = error.problems
    assert (problem.row, problem.column, problem.code) == (2, "E (brief)", "input-version-changed")
    assert fingerprint({"text": "Ruhig."}) in problem.message
    assert fingerprint({"text": "Laut."}) in problem.message
    assert "number 2" in problem.message


def test_a_changed_brief_with_a_new_number_is_a_new_version(project: Project) -> None:
    importing(project, csv_bytes(row()))

    result = importing(project, csv_bytes(row(brief="Laut.", input_version=2, title="Neu"))).result

    assert (result.versions_new, result.tasks_new, result.superseded) == (1, 1, 1)


def test_changed_content_under_a_task_is_refused_with_both_fingerprints(project: Project) -> None:
    importing(project, csv_bytes(row()))
    known = Action.objects.get().fingerprint

    (problem,) = refused(project, csv_bytes(row(title="Anders"))).problems

    assert (problem.row, problem.column, problem.code) == (2, "H (body)", "content-changed")
    assert known in problem.message


def test_one_bad_row_keeps_all_others_out(project: Project) -> None:
    rows = [row(purpose=f"p{number}") for number in range(50)]

    error = refused(project, csv_bytes(*rows, row(target="nowhere"), row(locale="nope")))
    assert [(one.row, one.code) for one in error.problems] == [(53, "unknown-locale")]

    error = refused(project, csv_bytes(*rows, row(target="nowhere")))
    assert [(one.row, one.column, one.code) for one in error.problems] == [
        (52, "F (target)", "unknown-target")
    ]


@pytest.mark.parametrize("said", ["0001-01-01", "9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("dry_run", [True, False])
def test_a_time_of_approval_that_no_page_could_read_is_refused(
    project: Project, said: str, *, dry_run: bool
) -> None:
    data = csv_bytes([*row(), "2026-09-18"], [*row(product="lamp"), said], header=[*HEADER, "approved_at"])
    error = refused(project, data, dry_run=dry_run)
    last = f"{ascii_uppercase[len(HEADER)]} (approved_at)"
    assert [(one.row, one.column, one.code) for one in error.problems] == [(3, last, "bad-time")]
    assert not InputVersion.objects.exists()


def test_what_two_actions_of_a_row_say_alike_is_told_once(project: Project) -> None:
    data = csv_bytes(with_image(target="nowhere"), header=WITH_IMAGE)

    error = refused(project, data, attachments={"a.png": PNG})

    assert [(one.row, one.column, one.code) for one in error.problems] == [
        (2, "F (target)", "unknown-target")
    ]


def test_problems_of_a_document_have_pointers(project: Project) -> None:
    action = {"target": "nowhere", "kind": "create_draft", "slot": "main", "payload": {}}
    delivery = {"product": "a", "locale": "ar", "purpose": "p", "input_version": 1, "actions": [action]}
    unknown = {**delivery, "actions": [{**action, "target": "cms"}]}

    (problem,) = refused(project, json_bytes({"deliveries": [unknown, delivery]}), "a.json").problems
    assert (problem.pointer, problem.code) == ("/deliveries/1", "unknown-target")

    (problem,) = refused(project, json_bytes({"deliveries": [unknown]}), "a.json").problems
    assert (problem.pointer, problem.code) == ("/deliveries/0/input_version", "unknown-input-version")


def test_targets_of_another_project_are_not_there(project: Project) -> None:
    other = a_project("borealis")
    a_target(other, name="their-cms")

    assert refused(project, csv_bytes(row(target="their-cms"))).problems[0].code == "unknown-target"


def test_a_draft_needs_the_picture_of_its_own_target(project: Project) -> None:
    a_target(project, name="shop")
    rows = [with_image(), with_image(target="shop")]

    importing(project, csv_bytes(*rows, header=WITH_IMAGE), attachments={"a.png": PNG})

    needs = [(need.action.target.name, need.needs.target.name) for need in ActionNeed.objects.all()]
    assert sorted(needs) == [("cms", "cms"), ("shop", "shop")]


def test_content_is_kept_byte_for_byte(project: Project) -> None:
    title, body = " e\u0301 \u2028", '<p>\r\n<script>alert("x")</script> شاي \u200f👩\u200d🍳</p>\t\n'

    importing(project, csv_bytes(row(title=title, body=body)))

    payload = Action.objects.get().payload
    assert (payload["title"], payload["body"]) == (title, body)


def test_the_name_of_the_batch(project: Project) -> None:
    assert importing(project, csv_bytes(row())).batch_name == "autumn"
    assert importing(project, csv_bytes(row()), batch_name=" Herbst  26 ").batch_name == "Herbst 26"
    assert refused(project, csv_bytes(row()), batch_name="x" * 201).problems[0].code == "bad-identity"


def test_operators_set_the_limits(project: Project) -> None:
    with override_settings(INTAKE_MAX_ROWS=1):
        assert refused(project, csv_bytes(row(), row())).problems[0].code == "too-many-rows"
    with override_settings(INTAKE_MAX_BYTES=10):
        assert refused(project, csv_bytes(row())).problems[0].code == "file-too-large"
