"""Every reason that the ledger gives is a sentence, in both languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from once_delivery import ledger
from once_delivery.ledger.reasons import REASONS, sentence
from once_delivery.ledger.states import State

FOLDER = Path(ledger.__file__).parent
# where a reason stands among the positional arguments
PLACES = {"Step": 1, "_uncertain": 3, "_back": 2, "_person": 1, "_move": 2}
PARAMS = {"result_id": "obj-1", "slots": "hero-image", "code": "http-500"}


def _given(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        arguments = [keyword.value for keyword in node.keywords if keyword.arg == "reason"]
        arguments += node.args[PLACES[name] :][:1] if name in PLACES else []
        for argument in arguments:
            for part in ast.walk(argument):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value:
                    yield part.value


USED = {code for path in FOLDER.rglob("*.py") if "migrations" not in path.parts for code in _given(path)} - {
    "is-"
}


def test_the_reasons_are_found_in_the_source() -> None:
    assert {
        "absence-proven",
        "lease-expired",
        "answered",
        "found-many",
        "declared-absent",
        "late-duplicate",
    } <= USED


@pytest.mark.parametrize(
    "code", sorted(USED | {f"is-{state}" for state in (State.SUPERSEDED, State.CANCELLED)})
)
def test_every_reason_that_is_given_has_a_sentence(code: str) -> None:
    assert code in REASONS


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("code", sorted(REASONS))
def test_a_reason_reads_as_a_sentence(code: str, language: str) -> None:
    """With what it is about, and where that is not known any more, without a bare placeholder."""
    with translation.override(language):
        full, bare = sentence(code, PARAMS), sentence(code)

    assert "%" not in full
    assert "%" not in bare
    assert full.endswith((".", "。"))


def test_a_code_without_a_sentence_shows_itself() -> None:
    assert sentence("from-a-later-version") == "from-a-later-version"
