"""Typed reading of environment variables; a wrong value stops the start and names the variable."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from once_delivery.common.operator_error import OperatorError

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off", ""})


class Env:
    """Reads from ``source``; never shows a secret in an error."""

    def __init__(self, source: Mapping[str, str] | None = None) -> None:
        self._source = os.environ if source is None else source

    def text(self, name: str, default: str | None = None, *, one_of: tuple[str, ...] = ()) -> str:
        """The value, stripped; without a default it must be set."""
        value = self._source.get(name, "").strip()
        if not value:
            if default is None:
                raise _missing(name)
            return default
        if one_of and value not in one_of:
            raise _wrong(name, value, en="one of " + ", ".join(one_of), zh="以下之一：" + "、".join(one_of))
        return value

    def boolean(self, name: str, *, default: bool) -> bool:
        value = self._source.get(name)
        if value is None:
            return default
        word = value.strip().lower()
        if word in TRUE_WORDS:
            return True
        if word in FALSE_WORDS:
            return False
        raise _wrong(
            name,
            value,
            en="1 or 0 (true, false, yes, no, on, off)",
            zh="1 或 0（true、false、yes、no、on、off）",
        )

    def integer(self, name: str, default: int, *, least: int = 0, most: int = 2**31 - 1) -> int:
        value = self._source.get(name, "").strip()
        if not value:
            return default
        try:
            number = int(value)
        except ValueError:
            raise _wrong(name, value, en="a whole number", zh="整数") from None
        if not least <= number <= most:
            raise _wrong(
                name, value, en=f"a number from {least} to {most}", zh=f"{least} 到 {most} 之间的整数"
            )
        return number

    def words(self, name: str, default: tuple[str, ...] = ()) -> list[str]:
        """Comma-separated words; empty ones fall away."""
        value = self._source.get(name)
        if value is None:
            return list(default)
        return [word.strip() for word in value.split(",") if word.strip()]

    def path(self, name: str, default: Path) -> Path:
        value = self._source.get(name, "").strip()
        return Path(value).expanduser().absolute() if value else default

    def url(self, name: str, *, schemes: tuple[str, ...], default: str = "") -> str:
        """An address with one of ``schemes``; the value may hold a password, so errors do not show it."""
        value = self.secret(name, default=lambda: default)
        if value and (urlsplit(value).scheme not in schemes):
            shown = ", ".join(f"{scheme}://" for scheme in schemes)
            raise _wrong(name, None, en=f"an address that begins with {shown}", zh=f"以 {shown} 开头的地址")
        return value

    def secret(self, name: str, *, default: Callable[[], str] | None = None) -> str:
        """The value of ``name``, or what the file named by ``name_FILE`` holds (Docker secrets)."""
        value = self._source.get(name, "").strip()
        file_name = self._source.get(f"{name}_FILE", "").strip()
        if value and file_name:
            raise OperatorError(
                "setting-twice",
                en=f"{name} and {name}_FILE are both set; keep one.",
                zh=f"{name} 与 {name}_FILE 同时设置，请只保留一个。",
            )
        if file_name:
            value = _read_secret(f"{name}_FILE", Path(file_name))
        if value:
            return value
        if default is None:
            raise _missing(name)
        return default()


def _read_secret(name: str, path: Path) -> str:
    try:
        value = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(name, str(path), en="a readable UTF-8 file", zh="可读取的 UTF-8 文件") from error
    if not value:
        raise _wrong(name, str(path), en="a file that is not empty", zh="非空文件")
    return value


def _missing(name: str) -> OperatorError:
    return OperatorError("setting-missing", en=f"{name} must be set.", zh=f"必须设置 {name}。")


def _wrong(name: str, value: str | None, *, en: str, zh: str) -> OperatorError:
    got_en = "" if value is None else f"; got {value!r}"
    got_zh = "" if value is None else f"，实际为 {value!r}"
    return OperatorError(
        "setting-invalid", en=f"{name} must be {en}{got_en}.", zh=f"{name} 必须是{zh}{got_zh}。"
    )
