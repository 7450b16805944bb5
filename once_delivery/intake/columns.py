"""The columns of a batch file: their names in both languages, what they hold, and finding them in a header."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches


class Holds(enum.Enum):
    """What the cells of a column are read as."""

    CODE = enum.auto()  # part of an identity: canonical form
    LOCALE = enum.auto()
    NUMBER = enum.auto()
    TIME = enum.auto()
    BRIEF = enum.auto()
    WORD = enum.auto()  # trimmed
    CONTENT = enum.auto()  # kept byte for byte


@dataclass(frozen=True, slots=True)
class Column:
    """One column. ``chinese`` is the heading of the Chinese template; ``also`` are further spellings."""

    name: str
    chinese: str
    holds: Holds
    required: bool = False
    also: tuple[str, ...] = ()
    longest: int | None = None


COLUMNS: tuple[Column, ...] = (
    Column("product", "产品", Holds.CODE, required=True, also=("产品编号", "产品代码", "product code")),
    Column("product_name", "产品名称", Holds.WORD, longest=300),
    Column("locale", "语言", Holds.LOCALE, required=True, also=("语种", "language", "语言地区")),
    Column("purpose", "用途", Holds.CODE, required=True),
    Column("input_version", "输入版本", Holds.NUMBER, required=True, also=("版本", "version")),
    Column("brief", "内容简报", Holds.BRIEF, also=("简报",)),
    Column("approved_by", "批准人", Holds.WORD, also=("审批人",), longest=200),
    Column("approved_at", "批准时间", Holds.TIME, also=("审批时间", "批准日期")),
    Column("target", "目标系统", Holds.WORD, required=True, also=("目标",)),
    Column("title", "标题", Holds.CONTENT, required=True),
    Column("body", "正文", Holds.CONTENT, required=True, also=("内容", "content")),
    Column("image", "图片", Holds.WORD, also=("主图", "hero image"), longest=250),
    Column("image_alt", "图片说明", Holds.CONTENT, also=("替代文字", "alt")),
)
BY_NAME = {column.name: column for column in COLUMNS}

# Further columns go into the draft as they are: “field.subtitle”, “字段.subtitle”.
_FIELD = re.compile(r"(?:field|字段)\s*[.．。:：]\s*(\w[\w.-]{0,59})", re.IGNORECASE)
_FIELD_START = re.compile(r"(?:field|字段)\s*[.．。:：]", re.IGNORECASE)
# What the draft's payload already has.
RESERVED = frozenset({"title", "body", "locale", "product", "purpose", "featured_media"})


def normal(heading: str) -> str:
    """One spelling of a heading: width, case, blanks, hyphens and underscores make no difference."""
    folded = unicodedata.normalize("NFKC", heading).casefold()
    return re.sub(r"[\s_-]+", "_", folded.strip().lstrip("\ufeff"))


_HEADINGS = {
    normal(spelling): column for column in COLUMNS for spelling in (column.name, column.chinese, *column.also)
}


def column_of(heading: str) -> Column | None:
    """The column that ``heading`` means."""
    return _HEADINGS.get(normal(heading))


def looks_like_field(heading: str) -> bool:
    """Does it begin as a free field does?"""
    return _FIELD_START.match(heading.strip()) is not None


def field_of(heading: str) -> str | None:
    """The payload's key that a free field's heading names; None when it is no name that can be used."""
    match = _FIELD.fullmatch(heading.strip())
    name = unicodedata.normalize("NFC", match[1]) if match else ""
    return name if name and name not in RESERVED else None


def nearest(heading: str) -> str | None:
    """The known heading that was probably meant."""
    spellings = {
        normal(word): word for column in COLUMNS for word in (column.name, column.chinese, *column.also)
    }
    close = get_close_matches(normal(heading), spellings, n=1, cutoff=0.5)
    return spellings[close[0]] if close else None


def known_headings(headings: Sequence[str]) -> int:
    """How many of ``headings`` mean a column."""
    return sum(1 for heading in headings if column_of(heading) or looks_like_field(heading))
