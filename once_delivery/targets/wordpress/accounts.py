"""Who speaks to the site: a contributor for drafts, an author for files."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field

from once_delivery.targets.base import Kind
from once_delivery.targets.http_json.address import credentials_of


@dataclass(frozen=True, slots=True)
class Accounts:
    """The headers of each kind of request; ``secrets`` must never be stored or shown."""

    drafts: Mapping[str, str] = field(repr=False)
    files: Mapping[str, str] | None = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)

    @classmethod
    def read(cls, credentials: Mapping[str, str]) -> Accounts:
        """Raises InvalidInputError for a credential that is missing."""
        name, password = credentials_of(credentials, "username", "application_password")
        drafts, secret = _basic(name, password)
        if not credentials.get("media_username") and not credentials.get("media_application_password"):
            return cls(drafts, None, (password, secret))
        author, authors = credentials_of(credentials, "media_username", "media_application_password")
        files, files_secret = _basic(author, authors)
        return cls(drafts, files, (password, secret, authors, files_secret))

    def of(self, kind: Kind) -> Mapping[str, str] | None:
        """None when nobody is named who could do this."""
        return {
            Kind.CREATE_DRAFT: self.drafts,
            Kind.UPDATE_DRAFT: self.drafts,
            Kind.UPLOAD_FILE: self.files,
        }.get(kind)


def _basic(name: str, password: str) -> tuple[dict[str, str], str]:
    pair = base64.b64encode(f"{name}:{password}".encode()).decode()
    return {"Authorization": f"Basic {pair}", "Accept": "application/json"}, pair
