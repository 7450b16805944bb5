"""The catalogs in ``locale/``: read, brought up to date, compiled."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

SOURCE_LANGUAGE = "en"
HEADER = "# The house in another language. Bring up to date with: make messages"
WIDTH = 110


@dataclass(frozen=True, slots=True)
class CatalogFile:
    """One language's ``django.po`` and its compiled twin."""

    locale: str
    po: Path

    @property
    def mo(self) -> Path:
        return self.po.with_suffix(".mo")

    def read(self) -> Catalog:
        if not self.po.exists():
            return Catalog(self.locale, header_comment=HEADER, domain="django", fuzzy=False)
        with self.po.open("rb") as file:
            return read_po(file, locale=self.locale, domain="django")

    def update(self, template: Catalog) -> None:
        """Strings that are no longer used go, new ones come in untranslated; nothing is guessed."""
        catalog = self.read()
        catalog.update(
            template, no_fuzzy_matching=True, update_creation_date=False, update_header_comment=False
        )
        catalog.header_comment = HEADER
        catalog.fuzzy = False
        written = io.BytesIO()
        write_po(
            written,
            catalog,
            width=WIDTH,
            sort_output=True,
            ignore_obsolete=True,
            include_lineno=False,
            omit_header=False,
        )
        self.po.parent.mkdir(parents=True, exist_ok=True)
        self.po.write_bytes(_plain_header(written.getvalue()))

    def compile(self) -> bool:
        """The compiled file is as new as its source; False when it was so before."""
        if self.mo.exists() and self.mo.stat().st_mtime_ns >= self.po.stat().st_mtime_ns:
            return False
        draft = self.mo.with_name(f"{self.mo.name}.{os.getpid()}")
        with draft.open("wb") as file:
            write_mo(file, self.read())
        draft.replace(self.mo)
        return True


def catalog_files(locale_dir: Path, locales: list[str]) -> Iterator[CatalogFile]:
    for locale in locales:
        yield CatalogFile(locale, locale_dir / locale / "LC_MESSAGES" / "django.po")


def _plain_header(text: bytes) -> bytes:
    """Only what a reader needs: two people who change different strings must not collide in a date."""
    kept = (b'"Language:', b'"Plural-Forms', b'"MIME-Version', b'"Content-')
    header, rest = text.split(b"\n\n", 1)
    lines = [line for line in header.split(b"\n") if not line.startswith(b'"') or line.startswith(kept)]
    return b"\n".join(lines) + b"\n\n" + rest
