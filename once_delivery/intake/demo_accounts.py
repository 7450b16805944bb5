"""The demo's accounts: named by role, with passwords that are made once and kept where only their owner may read."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from once_delivery.accounts.models import Role
from once_delivery.common.postgres_place import make_state_dir

ROLES: dict[str, Role] = {
    "marketing": Role.MARKETING_LEAD,
    "ops": Role.OPS_OWNER,
    "ops2": Role.OPS_OWNER,
    "finance": Role.FINANCE,
    "viewer": Role.VIEWER,
    "client": Role.CLIENT_APPROVER,
    "admin": Role.ADMIN,
}
DEFAULT_OWNER = "ops"
STAND_IN = "ops2"
_MAIL_DOMAIN = "example.com"  # nobody's: kept for examples (RFC 2606)


@dataclass(frozen=True, slots=True)
class DemoAccount:
    """One account. ``password`` is None when somebody has changed it."""

    username: str
    role: Role
    password: str | None


def email_of(username: str) -> str:
    """Where a demo account is written to; without a mail server it is a file in the state folder."""
    return f"{username}@{_MAIL_DOMAIN}"


def accounts_file() -> Path:
    """Where the passwords are kept: the state folder, never the repository."""
    return Path(settings.STATE_DIR) / "demo-accounts.json"


def kept_passwords() -> dict[str, str]:
    """Username → password, as far as they were made; a file that cannot be read counts as none."""
    try:
        kept = json.loads(accounts_file().read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    if not isinstance(kept, dict):
        return {}
    return {name: word for name, word in kept.items() if name in ROLES and isinstance(word, str)}


def keep_passwords(passwords: Mapping[str, str]) -> None:
    """Write all of them; a reader sees the old file or the new one, never half of one."""
    path = accounts_file()
    make_state_dir(path.parent)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(dict(passwords), file, indent=2)
    draft.replace(path)


def new_password() -> str:
    """Easy to copy, hard to guess."""
    return secrets.token_urlsafe(12)
