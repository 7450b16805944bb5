from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.utils import translation

from once_delivery.targets.probing.findings import Claim, Verdict
from once_delivery.targets.probing.wording import CLAIMS, SEEN, VERDICTS, left_sentence, seen_sentence

FOLDER = Path(__file__).parents[2] / "once_delivery" / "targets" / "probing"
# how an experiment says what it saw
SAID = re.compile(r"""(?:NotMeasuredError\(|Verdict\.[A-Z_]+, |seen = |, )"([a-z]+(?:-[a-z]+)+)\"""")


def test_every_claim_and_verdict_has_its_words() -> None:
    assert set(CLAIMS) == set(Claim)
    assert set(VERDICTS) == set(Verdict)


def test_everything_that_can_be_seen_has_its_sentence() -> None:
    said = {
        code
        for file in FOLDER.glob("*.py")
        if file.name not in {"wording.py", "removing.py"}
        for code in SAID.findall(file.read_text(encoding="utf-8"))
    }
    assert len(said) > 30
    assert said - set(SEEN) <= {"connector-error"}  # an answer's own code


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("code", list(SEEN))
def test_a_sentence_needs_no_numbers_to_be_read(code: str, language: str) -> None:
    with translation.override(language):
        sentence = seen_sentence(code, {})
        assert sentence
        assert "%(" not in sentence
        assert "%%" not in sentence
        assert (re.search(r"[\u4e00-\u9fff]", sentence) is not None) is (language == "zh-hans")


def test_what_the_target_said_is_shown_as_it_is() -> None:
    assert seen_sentence("no-such-code", {}) == "no-such-code"
    assert left_sentence("http-403") == "http-403"
    assert "d1, d2" in seen_sentence("second-made-another", {"ids": ["d1", "d2"]})
