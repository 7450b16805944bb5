"""The files of docs/samples are what docs say they are."""

from __future__ import annotations

import json
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from once_delivery.common.canonical import fingerprint
from once_delivery.intake.attachments import FolderAttachments
from once_delivery.intake.samples import autumn_launch, sample_requests, samples_folder
from once_delivery.intake.services.import_batch import import_batch
from once_delivery.ledger.models import Action
from once_delivery.targets.base import Kind
from tests.builders import a_project, a_target
from tests.intake.files import Read, read

FORMATS = ("autumn-launch.csv", "autumn-launch.xlsx", "autumn-launch.json")
TWELVE = (
    "en-US",
    "en-GB",
    "de-DE",
    "fr-FR",
    "es-ES",
    "it-IT",
    "pt-BR",
    "nl-NL",
    "pl-PL",
    "ja-JP",
    "ko-KR",
    "ar",
)


def sample(name: str) -> Read:
    folder = samples_folder()
    return read((folder / name).read_bytes(), name, files=FolderAttachments(folder, most=10**6))


def test_the_three_formats_say_the_same() -> None:
    found = [[replace(one, row=None) for one in sample(name).deliveries] for name in FORMATS]

    assert found[0] == found[1] == found[2]
    assert [sample(name).notes for name in FORMATS] == [(), (), ()]


@pytest.mark.django_db
def test_the_three_formats_have_the_same_fingerprints_in_the_ledger() -> None:
    project = a_project()
    a_target(project, name="sandbox")
    results = [
        import_batch(
            project=project,
            data=(samples_folder() / name).read_bytes(),
            file_name=name,
            user=None,
            attachments=FolderAttachments(samples_folder(), most=10**6),
        ).result
        for name in FORMATS
    ]

    assert [(one.tasks_new, one.actions_new, one.suppressed) for one in results] == [
        (10, 20, 0),
        (0, 0, 10),
        (0, 0, 10),
    ]
    assert Action.objects.count() == 20


def test_the_sample_is_real_input() -> None:
    deliveries = sample("autumn-launch.csv").deliveries
    drafts = [
        action.payload for one in deliveries for action in one.actions if action.kind == Kind.CREATE_DRAFT
    ]

    assert {one.product for one in deliveries} == {"gooseneck-kettle", "reading-lamp", "trail-bottle"}
    assert {one.locale for one in deliveries} == {"en-US", "de-DE", "ja-JP", "ar"}
    assert all(one.brief and one.approved_by and one.approved_at for one in deliveries)
    assert max(len(payload["body"]) for payload in drafts) > 3_000
    assert any("☕" in payload["body"] for payload in drafts)
    assert {payload["product"] for payload in drafts if payload["locale"] == "ar"} == {"gooseneck-kettle"}


def test_pictures_are_small() -> None:
    files = list((samples_folder() / "images").iterdir())

    assert len(files) == 3
    assert all(file.stat().st_size < 30_000 for file in files)


def test_the_derived_files_are_up_to_date(tmp_path: Path) -> None:
    script = runpy.run_path(str(samples_folder() / "make_samples.py"))
    rows = script["rows_of"](samples_folder() / "autumn-launch.csv")

    document = json.loads((samples_folder() / "autumn-launch.json").read_bytes())
    assert script["document_of"](rows, "autumn-launch") == document
    script["write_xlsx"](rows, tmp_path / "a.xlsx")
    folder = FolderAttachments(samples_folder(), most=10**6)
    made = read((tmp_path / "a.xlsx").read_bytes(), "a.xlsx", files=folder)
    assert made.deliveries == sample("autumn-launch.xlsx").deliveries


def test_the_broken_sample_shows_many_kinds_of_problems() -> None:
    assert sample("broken.csv").found == [
        (1, "L (subtitel)", "unknown-column"),
        (3, "C (locale)", "unknown-locale"),
        (4, "E (input version)", "bad-number"),
        (4, "K (image)", "image-missing"),
        (5, "G (approved_at)", "date-as-number"),
        (5, "I (title)", "missing-value"),
        (5, "K (image)", "image-outside"),
        (6, "F (brief)", "rows-differ"),
        (7, "J (body)", "row-twice"),
        (8, "E (input version)", "bad-number"),
        (8, "G (approved_at)", "bad-time"),
    ]


def test_three_products_in_twelve_locales() -> None:
    found = sample_requests(TWELVE, "cms")

    assert len({(one.product, one.locale) for one in found}) == 36
    assert {(action.target, action.kind, action.slot) for one in found for action in one.actions} == {
        ("cms", Kind.CREATE_DRAFT, "main")
    }
    assert len({fingerprint(dict(one.actions[0].payload)) for one in found}) == 36


def test_the_drill_gets_the_locales_and_the_purpose_it_asks_for() -> None:
    found = sample_requests(["ar", "de-DE"], "cms", purpose="drill-7", input_version=2)

    assert {one.locale for one in found} == {"ar", "de-DE"}
    assert {(one.purpose, one.input_version) for one in found} == {("drill-7", 2)}
    assert {one.actions[0].payload["purpose"] for one in found} == {"drill-7"}
    with pytest.raises(LookupError, match="xx"):
        sample_requests(["xx", "ar"], "cms")


def test_both_samples_have_the_same_briefs() -> None:
    def briefs(deliveries: Any) -> dict[str, Any]:
        return {
            one.product: (one.product_name, one.brief, one.approved_by, one.approved_at) for one in deliveries
        }

    assert briefs(sample_requests(TWELVE, "cms")) == briefs(autumn_launch(target="cms").deliveries)


def test_the_launch_goes_to_the_target_asked_for() -> None:
    request = autumn_launch(target="shop", name="drill")

    assert request.name == "drill"
    assert {action.target for one in request.deliveries for action in one.actions} == {"shop"}
    assert len(request.files) == 3
