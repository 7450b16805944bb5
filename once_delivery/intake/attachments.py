"""Files beside a batch file: on disk, read only when a row names them, or sent along by a browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath


class FolderAttachments(Mapping[str, bytes]):
    """The files below ``folder``. What a link leads out of it is not there; one byte beyond ``most`` is the end."""

    def __init__(self, folder: Path, *, most: int) -> None:
        self._folder = folder.resolve()
        self._most = most

    def __getitem__(self, name: str) -> bytes:
        try:
            path = (self._folder / name).resolve(strict=True)
            if not path.is_relative_to(self._folder) or not path.is_file():
                raise KeyError(name)
            with path.open("rb") as file:
                return file.read(self._most + 1)
        except (OSError, ValueError):
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        files = (path for path in self._folder.rglob("*") if path.is_file())
        return (path.relative_to(self._folder).as_posix() for path in files)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class UploadedAttachments(Mapping[str, bytes]):
    """Files that a browser sent, which come without their folders: “images/a.png” finds “a.png”.

    The first path that asks for a name owns it: “old/a.png” and “new/a.png” cannot both be meant by one “a.png”.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._owners: dict[str, str] = {}

    def __getitem__(self, name: str) -> bytes:
        short = PurePosixPath(name).name
        if self._owners.setdefault(short, name) != name:
            raise KeyError(name)
        return self._files[short]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)
