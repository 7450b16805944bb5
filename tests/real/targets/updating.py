"""What every connector that updates drafts in place must do on its real system (``on_new_version``)."""

from __future__ import annotations

import pytest

from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.drill.passing import Loss
from once_delivery.targets import updating
from once_delivery.targets.base import (
    Answer,
    EffectRequest,
    FoundObject,
    Kind,
    Look,
    LookUpRequest,
    Original,
    Outcome,
    Verdict,
)
from tests.real.targets.asking import DEADLINE_S, Asker, a_marker
from tests.real.targets.system import RealSystem

DRAFT, UPDATE = Kind.CREATE_DRAFT, Kind.UPDATE_DRAFT
OLD, NEW = "Kessel v1 😀", "Kessel v2, <neu> & 更新"


def read(asker: Asker, result_id: str) -> FoundObject:
    look = asker.connector.read(kind=DRAFT, result_id=result_id, deadline_s=DEADLINE_S)
    assert (look.verdict, look.complete) == (Verdict.FOUND, True), look
    (found,) = look.objects
    return found


def made(asker: Asker) -> Original:
    """A draft, as the ledger would remember it."""
    marker = a_marker()
    answer = asker.perform(DRAFT, marker, title=OLD)
    assert answer.outcome == Outcome.DONE, answer
    return Original(answer.result_id, marker, answer.version or read(asker, answer.result_id).version)


def update(asker: Asker, original: Original, *, title: str = NEW, **extra: object) -> Answer:
    payload = {**asker.system.payload(DRAFT, title), **extra}
    return asker.connector.perform(
        EffectRequest(UPDATE, a_marker(), "", "", payload, DEADLINE_S, original=original)
    )


def asked(asker: Asker, original: Original, *, title: str = NEW) -> Look:
    """Has the update been done?"""
    payload = asker.system.payload(DRAFT, title)
    return asker.connector.look_up(
        LookUpRequest(
            UPDATE,
            a_marker(),
            "",
            DEADLINE_S,
            result_id=original.result_id,
            payload=payload,
            original=original,
        )
    )


class Updating:
    """A test module inherits it and names the system."""

    def test_a_draft_is_read_with_its_content(self, asker: Asker) -> None:
        original = made(asker)
        found = read(asker, original.result_id)
        assert (found.result_id, found.marker, found.trashed) == (
            original.result_id,
            original.marker,
            False,
        )
        assert found.version == original.version != ""
        assert found.content["title"] == OLD
        assert updating.same_content(found.content, asker.system.payload(DRAFT, OLD))
        assert not updating.same_content(found.content, asker.system.payload(DRAFT, NEW))

    def test_what_is_not_there_is_absent_or_not_told(self, asker: Asker) -> None:
        original = made(asker)
        asker.system.delete(DRAFT, original.result_id)
        look = asker.connector.read(kind=DRAFT, result_id=original.result_id, deadline_s=DEADLINE_S)
        assert look.verdict in {Verdict.ABSENT, Verdict.CANNOT_TELL}
        assert not look.objects

    def test_an_update_changes_the_one_draft(self, asker: Asker) -> None:
        original = made(asker)
        (before,) = asker.system.held(DRAFT, original.marker)
        answer = update(asker, original)
        assert (answer.outcome, answer.result_id) == (Outcome.DONE, original.result_id), answer
        assert answer.marker in {None, original.marker}
        (after,) = asker.system.held(DRAFT, original.marker)
        assert (after.result_id, after.live, after.title == before.title) == (before.result_id, False, False)
        found = read(asker, original.result_id)
        assert found.version != original.version
        assert answer.version in {"", found.version}
        assert found.content["title"] == NEW
        assert found.marker == original.marker

    def test_the_next_update_is_for_the_new_state(self, asker: Asker) -> None:
        original = made(asker)
        update(asker, original)
        newer = Original(original.result_id, original.marker, read(asker, original.result_id).version)
        assert update(asker, newer, title="Kessel v3").outcome == Outcome.DONE
        assert read(asker, original.result_id).content["title"] == "Kessel v3"

    def test_what_an_editor_changed_is_left_alone(self, asker: Asker) -> None:
        original = made(asker)
        asker.system.edit(original.result_id, "An editor's own words")
        answer = update(asker, original)
        assert answer.outcome in {Outcome.EXISTS, Outcome.REFUSED}, answer
        found = read(asker, original.result_id)
        assert found.content["title"] == "An editor's own words"
        look = asked(asker, original)
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, updating.CHANGED)
        assert [one.content["title"] for one in look.candidates] == ["An editor's own words"]

    def test_the_same_update_again_changes_nothing(self, asker: Asker) -> None:
        """A late first request, or a second sender: the state that it was for is over."""
        original = made(asker)
        assert update(asker, original).outcome == Outcome.DONE
        version = read(asker, original.result_id).version
        again = update(asker, original)
        assert again.outcome in {Outcome.EXISTS, Outcome.REFUSED, Outcome.DONE}, again
        if again.outcome != Outcome.DONE:
            assert read(asker, original.result_id).version == version
        assert asked(asker, original).verdict == Verdict.FOUND

    @pytest.mark.parametrize("how", [Loss.CUT, Loss.RESET, Loss.HALF, Loss.BEFORE], ids=str)
    def test_a_lost_answer_of_an_update(self, system: RealSystem, asker: Asker, how: Loss) -> None:
        original = made(asker)
        with LosingProxy(system.connection().base_url, allow_inside=True) as proxy:
            through = Asker(system, base_url=proxy.base_url)
            # where an update carries no marker of its own, the proxy knows it by the object's ID or by our text
            for sign in (original.marker, original.result_id, "Kessel v2"):
                proxy.lose(sign, how)
            answer = update(through, original)
            through.connector.close()
        assert answer.outcome == Outcome.UNKNOWN, answer
        look = asked(asker, original)
        if how == Loss.BEFORE:
            assert (look.verdict, look.complete) == (Verdict.ABSENT, True), look
        else:
            assert [one.result_id for one in look.objects] == [original.result_id], look

    def test_nothing_to_update(self, asker: Asker) -> None:
        original = made(asker)
        asker.system.delete(DRAFT, original.result_id)
        answer = update(asker, original)
        assert answer.outcome in {Outcome.REFUSED, Outcome.EXISTS, Outcome.UNKNOWN}, answer
        look = asked(asker, original)
        assert look.verdict == Verdict.CANNOT_TELL
        assert look.code

    def test_what_was_made_can_be_removed(self, asker: Asker) -> None:
        original, other = made(asker), made(asker)
        answer = asker.connector.remove(kind=DRAFT, result_id=original.result_id, deadline_s=DEADLINE_S)
        assert answer.outcome in {Outcome.DONE, Outcome.REFUSED}, answer
        assert len(asker.system.held(DRAFT, original.marker)) == (0 if answer.outcome == Outcome.DONE else 1)
        assert len(asker.system.held(DRAFT, other.marker)) == 1
