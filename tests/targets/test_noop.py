from __future__ import annotations

from once_delivery.targets.base import Connection, EffectRequest, Kind, LookUpRequest, Outcome, Verdict
from once_delivery.targets.registry import connect


def test_done_at_once_with_the_same_id_each_time() -> None:
    connector = connect("noop", Connection("", {}))
    request = EffectRequest(Kind.CREATE_DRAFT, "once-a", "", "", {}, 1)
    answer = connector.perform(request)
    assert (answer.outcome, answer.result_id, answer.marker) == (Outcome.DONE, "noop-once-a", "once-a")
    assert connector.perform(request) == answer
    look = connector.look_up(LookUpRequest(Kind.CREATE_DRAFT, "once-a", "", 1))
    assert (look.verdict, look.objects[0].result_id) == (Verdict.FOUND, "noop-once-a")
    assert list(connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=1)) == []
    assert [line.ok for line in connector.check()] == [True]
    connector.close()
