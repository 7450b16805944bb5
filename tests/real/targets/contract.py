"""What every connector must do on its real system. A test module inherits it and names the system."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.drill.passing import Loss
from once_delivery.targets.base import InventoryError, Kind, Outcome, Verdict
from once_delivery.targets.profile import Guard
from tests.real.targets.asking import Asker, a_marker, at_once
from tests.real.targets.system import Account, RealSystem

AT_ONCE = 8
DIFFERENT = 4  # at once: more of them would measure how busy the machine is
LANDED_S = 30.0
ROUNDS = 5
DRAFT = Kind.CREATE_DRAFT
ATOMIC = (Guard.CLIENT_ID, Guard.IDEMPOTENCY_KEY)


class Contract:
    """Each test makes its own objects; the system is shared."""

    def test_the_connection_test_finds_nothing_wrong(self, asker: Asker) -> None:
        assert [line for line in asker.connector.check() if not line.ok] == []

    def test_what_was_created_is_read_back_by_its_marker(self, asker: Asker, kind: Kind) -> None:
        marker = a_marker()
        answer = asker.perform(kind, marker)
        assert (answer.outcome, answer.marker) == (Outcome.DONE, marker), answer
        (held,) = asker.system.held(kind, marker)
        assert (held.result_id, held.live) == (answer.result_id, False)
        look = asker.look(kind, marker)
        assert (look.verdict, look.complete) == (Verdict.FOUND, True)
        assert [(one.result_id, one.marker) for one in look.objects] == [(answer.result_id, marker)]

    def test_what_nobody_made_is_absent(self, asker: Asker, kind: Kind) -> None:
        look = asker.look(kind, a_marker(), title=f"Nobody's {a_marker()}")
        assert (look.verdict, look.complete, look.code) == (Verdict.ABSENT, True, "")

    def test_a_second_create_is_what_the_guard_says(self, asker: Asker, kind: Kind) -> None:
        marker = a_marker()
        first = asker.perform(kind, marker)
        second = asker.perform(kind, marker)
        held = asker.system.held(kind, marker)
        if asker.system.guard in ATOMIC:
            assert len(held) == 1
            assert second.outcome in {Outcome.EXISTS, Outcome.DONE}, second
            assert held[0].result_id == first.result_id
        look = asker.look(kind, marker)
        assert look.verdict == (Verdict.FOUND if len(held) == 1 else Verdict.FOUND_MANY)

    def test_other_content_under_the_same_marker_changes_nothing(self, asker: Asker, kind: Kind) -> None:
        """R9, at the target: nothing is overwritten in silence."""
        marker = a_marker()
        first = asker.perform(kind, marker, title="First words")
        before = asker.system.held(kind, marker)
        second = asker.perform(kind, marker, title="Other words")
        after = asker.system.held(kind, marker)
        assert [one for one in after if one.result_id == first.result_id] == before
        if asker.system.guard == Guard.CLIENT_ID:
            assert second.outcome == Outcome.EXISTS, second
            assert after == before

    def test_many_at_once_with_one_marker(self, asker: Asker, kind: Kind) -> None:
        for _round in range(ROUNDS):
            self._race(asker, kind, a_marker())

    def _race(self, asker: Asker, kind: Kind, marker: str) -> None:
        answers = at_once(AT_ONCE, lambda _: asker.perform(kind, marker))
        outcomes = Counter(answer.outcome for answer in answers)
        held = asker.system.held(kind, marker)
        if asker.system.guard in ATOMIC:
            assert len(held) == 1, outcomes
            assert {one.result_id for one in answers if one.outcome == Outcome.DONE} <= {held[0].result_id}
            # nobody who lost may be told that nothing is there
            assert set(outcomes) <= {Outcome.DONE, Outcome.EXISTS, Outcome.UNKNOWN}, outcomes
        look = asker.look(kind, marker)
        assert look.verdict == (Verdict.FOUND if len(held) == 1 else Verdict.FOUND_MANY)
        assert {one.result_id for one in look.objects} == {one.result_id for one in held}

    def test_many_at_once_with_different_markers(self, asker: Asker, kind: Kind) -> None:
        """Each ends as one object of its own, also where a busy machine kept answers back past their deadline."""
        markers = [a_marker() for _ in range(DIFFERENT)]
        answers = at_once(DIFFERENT, lambda number: asker.perform(kind, markers[number]))
        assert {one.outcome for one in answers} <= {Outcome.DONE, Outcome.UNKNOWN, Outcome.NOT_DONE}, answers
        ids = []
        for marker, answer in zip(markers, answers, strict=True):
            done = answer.outcome == Outcome.DONE
            ids.append(answer.result_id if done else self._resumed(asker, kind, marker))
            assert [one.result_id for one in asker.system.held(kind, marker)] == [ids[-1]]
        assert len(set(ids)) == DIFFERENT

    def _resumed(self, asker: Asker, kind: Kind, marker: str) -> str:
        """As the ledger would: looked for until what was given up must have landed, then made by one request alone."""
        begun = time.monotonic()
        while (look := asker.look(kind, marker)).verdict != Verdict.FOUND:
            waited = time.monotonic() - begun
            assert look.verdict != Verdict.FOUND_MANY, look
            if look.verdict == Verdict.ABSENT and waited > LANDED_S:
                again = asker.perform(kind, marker)
                assert again.outcome == Outcome.DONE, again
                return again.result_id
            assert waited < 4 * LANDED_S, look
            time.sleep(0.5)
        return look.objects[0].result_id

    def test_what_was_deleted_is_absent(self, asker: Asker, kind: Kind) -> None:
        marker = a_marker()
        answer = asker.perform(kind, marker, title=marker)
        asker.system.delete(kind, answer.result_id)
        look = asker.look(kind, marker, title=marker)
        assert (look.verdict, look.complete) == (Verdict.ABSENT, True)

    def test_what_is_in_the_trash_is_found_there(self, asker: Asker, kind: Kind) -> None:
        if not asker.system.has_trash:
            pytest.skip("this system deletes for good")
        marker = a_marker()
        answer = asker.perform(kind, marker)
        asker.system.trash(kind, answer.result_id)
        look = asker.look(kind, marker)
        assert (look.verdict, look.objects[0].trashed) == (Verdict.FOUND, True)

    def test_another_slug_by_an_editor(self, asker: Asker) -> None:
        """Found all the same, or at least never taken for absent."""
        marker = a_marker()
        answer = asker.perform(DRAFT, marker, title=f"Renamed {marker}")
        asker.system.rename(answer.result_id)
        look = asker.look(DRAFT, marker, title=f"Renamed {marker}")
        if asker.system.marker_survives_rename:
            assert [one.result_id for one in look.objects] == [answer.result_id]
        else:
            assert look.verdict != Verdict.FOUND
            assert look.verdict == Verdict.CANNOT_TELL or look.candidates
            assert [one.result_id for one in look.candidates] == [answer.result_id]

    @pytest.mark.parametrize("account", [Account.BLIND, Account.NOBODY])
    def test_who_may_not_see_cannot_tell(self, system: RealSystem, asker: Asker, account: Account) -> None:
        marker = a_marker()
        asker.perform(DRAFT, marker)
        weak = Asker(system, account=account)
        for looked_for in (marker, a_marker()):
            look = weak.look(DRAFT, looked_for)
            assert (look.verdict, look.complete) == (Verdict.CANNOT_TELL, False), look
            assert look.code
        with pytest.raises(InventoryError):
            list(weak.connector.inventory(kind=DRAFT, deadline_s=60))
        assert [line.code for line in weak.connector.check() if not line.ok]
        weak.connector.close()

    def test_the_inventory_while_objects_are_added(self, asker: Asker) -> None:
        there = {asker.system.make_by_hand(f"There before {number}") for number in range(45)}
        ours = a_marker()
        there.add(asker.perform(DRAFT, ours).result_id)
        seen = []
        for number, found in enumerate(asker.connector.inventory(kind=DRAFT, deadline_s=120)):
            seen.append(found)
            if number % 15 == 0:
                asker.system.make_by_hand(f"Added {number}")
        ids = Counter(found.result_id for found in seen)
        assert there <= set(ids)
        assert set(ids.values()) == {1}
        assert [found.result_id for found in seen if found.marker == ours] == [
            one.result_id for one in asker.system.held(DRAFT, ours)
        ]

    def test_a_request_ends_with_its_deadline(self, asker: Asker) -> None:
        marker = a_marker()
        with asker.system.paused():
            begun = time.monotonic()
            answer = asker.perform(DRAFT, marker, deadline_s=1.0)
            look = asker.look(DRAFT, marker, deadline_s=1.0)
            took = time.monotonic() - begun
        assert (answer.outcome, answer.code) == (Outcome.UNKNOWN, "deadline")
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "deadline")
        assert took < 3.0

    @pytest.mark.parametrize("how", [Loss.CUT, Loss.RESET, Loss.HALF], ids=str)
    def test_a_lost_answer_is_unknown_and_the_object_is_found(
        self, system: RealSystem, kind: Kind, how: Loss
    ) -> None:
        marker = a_marker()
        with LosingProxy(system.connection().base_url, allow_inside=True) as proxy:
            asker = Asker(system, base_url=proxy.base_url)
            proxy.lose(marker, how)
            answer = asker.perform(kind, marker)
            look = asker.look(kind, marker)
            asker.connector.close()
            (call,) = proxy.calls()
        (held,) = system.held(kind, marker)
        assert answer.outcome == Outcome.UNKNOWN, answer
        assert [one.result_id for one in look.objects] == [held.result_id]
        assert (call.marker, call.created, call.answered) == (marker, True, False)

    def test_a_request_that_never_arrived_left_nothing(self, system: RealSystem) -> None:
        marker = a_marker()
        with LosingProxy(system.connection().base_url, allow_inside=True) as proxy:
            asker = Asker(system, base_url=proxy.base_url)
            proxy.lose(marker, Loss.BEFORE)
            answer = asker.perform(DRAFT, marker, title=marker)
            look = asker.look(DRAFT, marker, title=marker)
            asker.connector.close()
        assert (answer.outcome, look.verdict) == (Outcome.UNKNOWN, Verdict.ABSENT)
        assert system.held(DRAFT, marker) == []

    def test_nothing_gets_published(self, asker: Asker) -> None:
        marker = a_marker()
        answer = asker.perform(DRAFT, marker, **asker.system.publishing_payload())
        held = asker.system.held(DRAFT, marker)
        assert [one.live for one in held] == ([False] if answer.outcome == Outcome.DONE else [])
        result_id = answer.result_id or asker.perform(DRAFT, a_marker()).result_id
        assert asker.system.publish_as_delivery(result_id) is False
