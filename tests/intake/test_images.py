from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from once_delivery.common.sheets.limits import Limits
from once_delivery.intake.attachments import FolderAttachments, UploadedAttachments
from once_delivery.ledger.requests import ActionRequest
from once_delivery.targets.base import Kind
from tests.intake.files import HEADER, PNG, Read, csv_bytes, read, row

WITH_IMAGE = (*HEADER, "image", "image_alt")
JPEG, GIF, WEBP = b"\xff\xd8\xff\xe0" + bytes(8), b"GIF89a" + bytes(8), b"RIFF\x00\x00\x00\x00WEBP" + bytes(8)
SVG = b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"


def with_image(name: str, files: Any, alt: str = "x", **options: Any) -> Read:
    return read(csv_bytes([*row(), name, alt], header=WITH_IMAGE), files=files, **options)


def test_a_row_with_a_picture_uploads_it_before_the_draft() -> None:
    found = with_image("images/a.png", {"images/a.png": PNG}, alt=" Ein Kessel ")

    assert found.request is not None
    (file,) = found.request.files.values()
    assert (file.name, file.media_type, file.data) == ("a.png", "image/png", PNG)
    upload, draft = found.deliveries[0].actions
    assert upload == ActionRequest(
        target="cms",
        kind=Kind.UPLOAD_FILE,
        slot="hero-image",
        payload={
            "file": {"sha256": file.sha256, "name": "a.png", "media_type": "image/png"},
            "alt": " Ein Kessel ",
        },
    )
    assert (draft.kind, draft.slot) == (Kind.CREATE_DRAFT, "main")
    assert draft.payload["featured_media"] == {"$result": "hero-image"}


def test_one_picture_of_many_rows_is_kept_once() -> None:
    rows = [[*row(locale=locale), "a.png", ""] for locale in ("de-DE", "ja-JP", "ar")]

    found = read(csv_bytes(*rows, header=WITH_IMAGE), files={"a.png": PNG})

    assert found.request is not None
    assert len(found.request.files) == 1
    assert [len(one.actions) for one in found.deliveries] == [2, 2, 2]


@pytest.mark.parametrize(
    ("name", "data"), [("a.png", PNG), ("a.JPG", JPEG), ("a.jpeg", JPEG), ("a.gif", GIF), ("a.webp", WEBP)]
)
def test_pictures_that_targets_take(name: str, data: bytes) -> None:
    assert with_image(name, {name: data}).problems == ()


@pytest.mark.parametrize(
    ("_case", "name", "data", "code"),
    [
        ("not there", "b.png", PNG, "image-missing"),
        ("empty", "a.png", b"", "image-empty"),
        ("svg", "a.svg", SVG, "image-svg"),
        ("svg under another name", "a.png", SVG, "image-svg"),
        ("program", "a.png", b"MZ" + bytes(64), "image-type"),
        ("another suffix", "a.png", JPEG, "image-suffix"),
        ("too large", "a.png", PNG + bytes(200), "image-too-large"),
        ("parent folder", "../a.png", PNG, "image-outside"),
        ("inside and out again", "images/../../a.png", PNG, "image-outside"),
        ("absolute", "/etc/passwd", PNG, "image-outside"),
        ("drive", "C:\\a.png", PNG, "image-outside"),
        ("address", "https://example.com/a.png", PNG, "image-outside"),
        ("parent folder, backslash", "..\\a.png", PNG, "image-outside"),
    ],
)
def test_what_is_no_picture_is_told_at_its_place(_case: str, name: str, data: bytes, code: str) -> None:
    files = {"a.png": data, "a.svg": data}

    assert with_image(name, files, limits=Limits(image_bytes=200)).found == [(2, "I (image)", code)]


def test_all_pictures_together_have_a_limit() -> None:
    rows = [[*row(purpose=name), f"{name}.png", ""] for name in ("a", "b", "c")]
    files = {f"{name}.png": PNG + name.encode() for name in ("a", "b", "c")}

    found = read(csv_bytes(*rows, header=WITH_IMAGE), files=files, limits=Limits(images_bytes=55))

    assert found.found == [(4, "I (image)", "images-too-large")]


def test_a_description_without_a_picture_would_be_lost() -> None:
    assert with_image("", {}).found == [(2, "J (image_alt)", "alt-without-image")]


def test_a_name_spelled_decomposed_finds_the_file() -> None:
    found = with_image("tee\u0301.png", {"teé.png": PNG})

    assert found.request is not None
    assert [one.name for one in found.request.files.values()] == ["teé.png"]


def test_a_folder_gives_only_what_lies_in_it(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(PNG)
    folder = tmp_path / "batch"
    (folder / "images").mkdir(parents=True)
    (folder / "images" / "a.png").write_bytes(PNG)
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    files = FolderAttachments(folder, most=10)

    assert files["images/a.png"] == PNG[:11]
    assert list(FolderAttachments(folder / "images", most=10)) == ["a.png"]
    for name in ("link.png", "../secret.png", str(tmp_path / "secret.png"), "images", "b.png", "a\x00.png"):
        assert name not in files


def test_uploads_come_without_folders() -> None:
    files = UploadedAttachments({"a.png": PNG})

    assert files["new/a.png"] == PNG
    assert files["new/a.png"] == PNG
    assert "old/a.png" not in files
    assert "b.png" not in files
