"""What stops the house before Django is there to translate it: told in both languages at once."""

from __future__ import annotations


class OperatorError(Exception):
    """The machine or its settings do not allow to go on; nothing has been started or changed.

    ``code`` is stable and kebab-case. Both sentences are shown, because the reader's language is not
    known before the settings are read.
    """

    def __init__(self, code: str, *, en: str, zh: str) -> None:
        super().__init__(code)
        self.code = code
        self.en = en
        self.zh = zh

    def __str__(self) -> str:
        return f"[{self.code}] {self.en}\n[{self.code}] {self.zh}"
