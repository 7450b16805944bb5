"""A secret that is made once and kept in a file that only its owner may read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from once_delivery.common.postgres_place import make_state_dir


def kept_secret(path: Path, *, size: int = 50) -> str:
    """The same secret of ``size`` bytes at every call, in every process, until the file is deleted."""
    make_state_dir(path.parent)
    # written aside and linked: of several first processes one wins, and no reader sees half a secret
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    if not path.exists():
        with open(
            draft, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)
        ) as file:
            file.write(secrets.token_urlsafe(size))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="utf-8").strip()
