"""From bytes to text: UTF-8, UTF-16 with its mark, or GB18030 when nothing else can be meant."""

from __future__ import annotations

import codecs
import re
from collections import Counter

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.places import Place
from once_delivery.common.sheets.problems import Problems

_UTF32_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
# Share of the characters that must lie in GB2312, the everyday part of GB18030. Chinese text is nearly all there;
# Latin-1, Big5, Shift-JIS and broken UTF-8 also decode as GB18030, but into rare characters all over it.
_EVERYDAY = 0.9
# and in Latin-1 read as GB18030 they stand inside words: “Größe” becomes “Gr鲞e”
_RUN = re.compile(r"[^\x00-\x7f]+")
_INSIDE_WORD = re.compile(r"(?<=[A-Za-z])[^\x00-\x7f]{1,2}(?=[A-Za-z])")

NOT_TEXT = gettext_noop(
    "The file is neither UTF-8 nor UTF-16 nor GB18030 text (line %(line)s, byte %(byte)s). Save it as CSV UTF-8."
)
NO_MARK = gettext_noop("The file looks like UTF-16 without a byte-order mark. Save it as UTF-8.")
UTF_32 = gettext_noop("The file is UTF-32. Save it as UTF-8.")
CUT = gettext_noop("The file is marked as %(encoding)s but is not valid at byte %(byte)s.")
READ_AS = gettext_noop("The file was read as %(encoding)s: look at the texts before you go on.")


def decoded(data: bytes, problems: Problems) -> str:
    """The text of ``data`` without its byte-order mark; raises ImportRefusedError when it is none."""
    if data.startswith(_UTF32_MARKS):
        problems.add("wrong-encoding", UTF_32)
    elif data.startswith(codecs.BOM_UTF8):
        return _marked(data[3:], "utf-8", problems)
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _marked(data, "utf-16", problems)
    elif _many_nul(data):
        problems.add("wrong-encoding", NO_MARK)
    else:
        return _unmarked(data, problems)
    raise problems.refusal()


def _marked(data: bytes, encoding: str, problems: Problems) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        problems.add("wrong-encoding", CUT, encoding=encoding.upper(), byte=error.start)
        raise problems.refusal() from None


def _unmarked(data: bytes, problems: Problems) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = error.start
    text = _as_gb18030(data)
    if text is None:
        line = data.count(b"\n", 0, wrong) + 1
        problems.add("wrong-encoding", NOT_TEXT, place=Place(), line=line, byte=wrong)
        raise problems.refusal()
    problems.note("encoding", READ_AS, encoding="GB18030")
    return text


def _as_gb18030(data: bytes) -> str | None:
    """The text, unless it is no GB18030 or only looks so by chance."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    counts = {char: count for char, count in Counter(text).items() if not char.isascii()}
    everyday = sum(count for char, count in counts.items() if _in_gb2312(char))
    inside_words = len(_INSIDE_WORD.findall(text))
    plausible = everyday >= _EVERYDAY * sum(counts.values()) and inside_words * 2 <= len(_RUN.findall(text))
    return text if plausible else None


def _in_gb2312(character: str) -> bool:
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def _many_nul(data: bytes) -> bool:
    """Every other byte of ASCII in UTF-16 is NUL; a stray NUL is a problem of its cell."""
    start = data[:4096]
    return start.count(0) > len(start) // 10 + 1
