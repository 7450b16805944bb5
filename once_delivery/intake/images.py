"""Pictures that rows name: found beside the batch file, recognised by their bytes, kept once by their hash."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from pathlib import PurePosixPath

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.limits import MEGABYTE, Limits
from once_delivery.common.sheets.places import Place
from once_delivery.common.sheets.problems import Problems
from once_delivery.targets.base import FileBytes

_SUFFIXES = {
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/gif": (".gif",),
    "image/webp": (".webp",),
}

OUTSIDE = gettext_noop("“%(name)s” is not beside the batch file: only files in its folder can be named.")
MISSING = gettext_noop("There is no file “%(name)s” beside the batch file.")
EMPTY = gettext_noop("The picture “%(name)s” is empty.")
TOO_LARGE = gettext_noop("The picture “%(name)s” has %(size)s MB; %(most)s MB are allowed.")
ALL_TOO_LARGE = gettext_noop("All pictures together have more than %(most)s MB. Split the batch.")
SVG = gettext_noop("“%(name)s” is an SVG, which can hold scripts. Use PNG, JPEG, WebP or GIF.")
UNKNOWN = gettext_noop("“%(name)s” is no PNG, JPEG, WebP or GIF picture.")
WRONG_SUFFIX = gettext_noop("“%(name)s” holds %(found)s. Rename it so that it ends in %(suffix)s.")


class Images:
    """The pictures of one batch. Each name is looked at once, and its problem told at every place that names it."""

    def __init__(self, attachments: Mapping[str, bytes], limits: Limits, problems: Problems) -> None:
        self._attachments = attachments
        self._limits = limits
        self._problems = problems
        self._known: dict[str, FileBytes | tuple[str, str, dict[str, object]]] = {}
        self._total = 0
        self.files: dict[str, FileBytes] = {}

    def find(self, name: str, place: Place) -> FileBytes | None:
        """The picture, or None after its problem was added."""
        if name not in self._known:
            self._known[name] = self._look(name)
        known = self._known[name]
        if isinstance(known, FileBytes):
            return known
        code, template, params = known
        self._problems.add(code, template, place=place, name=name[:120], **params)
        return None

    def _look(self, name: str) -> FileBytes | tuple[str, str, dict[str, object]]:
        path = _inside(name)
        if path is None:
            return "image-outside", OUTSIDE, {}
        data = self._bytes(path)
        if data is None:
            return "image-missing", MISSING, {}
        wrong = self._wrong_size(data)
        if wrong is not None:
            return wrong
        return self._kept(path, data)

    def _bytes(self, path: PurePosixPath) -> bytes | None:
        for spelling in (
            str(path),
            unicodedata.normalize("NFC", str(path)),
            unicodedata.normalize("NFD", str(path)),
        ):
            data = self._attachments.get(spelling)
            if data is not None:
                return data
        return None

    def _wrong_size(self, data: bytes) -> tuple[str, str, dict[str, object]] | None:
        if not data:
            return "image-empty", EMPTY, {}
        if len(data) > self._limits.image_bytes:
            most = f"{self._limits.image_bytes / MEGABYTE:g}"
            return "image-too-large", TOO_LARGE, {"size": f"{len(data) / MEGABYTE:.1f}", "most": most}
        self._total += len(data)
        if self._total > self._limits.images_bytes:
            return "images-too-large", ALL_TOO_LARGE, {"most": f"{self._limits.images_bytes / MEGABYTE:g}"}
        return None

    def _kept(self, path: PurePosixPath, data: bytes) -> FileBytes | tuple[str, str, dict[str, object]]:
        found = media_type(data)
        if found is None:
            svg = b"<svg" in data[:4096].lower()
            return ("image-svg", SVG, {}) if svg else ("image-type", UNKNOWN, {})
        if path.suffix.lower() not in _SUFFIXES[found]:
            return "image-suffix", WRONG_SUFFIX, {"found": found, "suffix": _SUFFIXES[found][0]}
        sha256 = hashlib.sha256(data).hexdigest()
        file = FileBytes(
            name=unicodedata.normalize("NFC", path.name), media_type=found, sha256=sha256, data=data
        )
        self.files.setdefault(sha256, file)
        return file


def media_type(data: bytes) -> str | None:
    """What the first bytes say; None when it is no picture that targets take."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None


def _inside(name: str) -> PurePosixPath | None:
    """The path below the batch file's folder; None when it leads out of it."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in name or not path.name:
        return None
    return path
