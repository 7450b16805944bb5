"""Whatever a connection test says has words, in both languages: what it asked, and what to do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from once_delivery.targets.check_words import KINDS, NAMES, TODO, name_words, todo_words

ROOT = Path(__file__).resolve().parents[2] / "once_delivery"
RAISED = {
    "CutError",
    "CheckResult",
    "_attempt",
    "UnreadableError",
    "NotSentError",
    "NoAnswerError",
    "HttpError",
}
# what cannot come out of a connection test: results of looking for one action, of changing or of removing something
NOT_ASKED = {
    "another-job", "bad-id", "bad-place", "cannot-compare-yet", "connector-error", "file-incomplete", "id-mismatch",
    "marker-mismatch", "match-disputed", "no-creation-time", "no-etag", "no-id", "no-original", "no-upload-id",
    "only-alike", "original-unknown", "send-time-unknown", "too-many-alike", "waits-for-call", "code",
    "schema", "field-is-ours", "keys-overlap", "unknown-service",
}  # fmt: skip


def files() -> list[Path]:
    return [*(ROOT / "targets").glob("*/*.py"), *(ROOT / "common" / "http").glob("*.py")]


def literals(node: ast.AST | None) -> Iterator[str]:
    for one in ast.walk(node) if node is not None else ():
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def said() -> tuple[set[str], set[str]]:
    """Names of lines, and codes, that stand in the sources of connectors and of the client."""
    names, codes = set(), set()
    for file in files():
        if file.parent.name in {"probing", "services", "models", "management"}:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Return) and file.name in {"sockets.py", "body.py"}:
                codes |= set(literals(node.value)) - {"deflate", "strerror"}
            if not isinstance(node, ast.Call):
                continue
            function = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = set(literals(node.args[0])) if node.args else set()
            if function in {"CheckResult", "_attempt"}:
                names |= first if file.name == "checks.py" else set()
            elif function in RAISED:
                codes |= first
            codes |= {one for key in node.keywords if key.arg == "code" for one in literals(key.value)}
    return names, codes


def test_every_line_has_a_name() -> None:
    names, _ = said()
    assert len(names) > 15
    assert {name.partition(":")[0] for name in names} - set(NAMES) == set()


def test_every_code_has_a_sentence() -> None:
    _, codes = said()
    kebab = {code for code in codes if code and all(part.isalnum() for part in code.split("-") if part)}
    assert len(kebab) > 60
    without = {code for code in kebab - NOT_ASKED if code not in TODO and not code.startswith("http-")}
    assert without == set()


@pytest.mark.parametrize("code", sorted(TODO))
def test_every_sentence_is_translated(code: str) -> None:
    with translation.override("en"):
        english = todo_words(code)
    with translation.override("zh-hans"):
        assert todo_words(code) != english


def test_codes_of_an_http_status_have_a_sentence_of_their_family() -> None:
    with translation.override("en"):
        assert "out of order" in todo_words("http-502")
        assert "left alone" in todo_words("http-429")
        assert "not speak" in todo_words("http-418")
        assert name_words("look_up:create_draft") == f"Look-up by marker ({KINDS['create_draft']})"
