"""What a connector says of an ID is believed only where it is one."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.ledger.trust import is_result_id, trusted_answer, trusted_look
from once_delivery.targets.base import Answer, FoundObject, Look, Outcome, Verdict

BLANK = ["   ", "\n", "\t", "\u3000", "\u00a0", "\u200b", "\u200b \ufeff"]
BROKEN = ["47\n11", "47\t11", "4711\x85", "4711\n", " 4711 \r"]
WHOLE = ["4711", "drafts/a b.html", "标题-1", "a", "🙂", "\u2063a"]


class Asked:
    """As much of a request as the rules look at."""

    original = None
    marker = "once-1"


@pytest.mark.parametrize("result_id", ["", *BLANK, *BROKEN])
@pytest.mark.parametrize("outcome", [Outcome.DONE, Outcome.ACCEPTED])
def test_done_without_a_readable_id_is_unknown(result_id: str, outcome: Outcome) -> None:
    asked: Any = Asked()
    told = trusted_answer(asked, Answer(outcome, "", result_id=result_id))
    assert told.outcome is Outcome.UNKNOWN
    assert told.code == ("bad-id" if result_id in BROKEN else "no-id")


@pytest.mark.parametrize("result_id", [*BLANK, *BROKEN])
def test_an_object_without_a_readable_id_cannot_be_told(result_id: str) -> None:
    asked: Any = Asked()
    look = Look(Verdict.FOUND, "looked", complete=True, objects=(FoundObject(result_id, "once-1"),))
    told = trusted_look(asked, look)
    assert (told.verdict, told.code) == (Verdict.CANNOT_TELL, "bad-id")


@pytest.mark.parametrize("result_id", WHOLE)
def test_ids_of_every_script(result_id: str) -> None:
    asked: Any = Asked()
    assert is_result_id(result_id)
    answer = Answer(Outcome.DONE, "", result_id=result_id)
    assert trusted_answer(asked, answer).outcome is Outcome.DONE
