"""One round: the step fails in the middle, recovery is asked for, and the target is counted before and after."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from once_delivery.drill.errors import DrillBrokenError
from once_delivery.drill.judge import Call, Held
from once_delivery.drill.processes import START_S, Child, start_together
from once_delivery.drill.refusals import refusals
from once_delivery.drill.scenario import Letter
from once_delivery.drill.setting_up import Prepared
from once_delivery.drill.verdict import Account, Facts, judge
from once_delivery.ledger.models import Action
from once_delivery.ledger.states import State
from once_delivery.targets.profile import Guard
from reconciliation.models import Case, CaseStatus
from reconciliation.services.open_cases import open_cases

RECOVERY_S = 45.0


def run_round(*, prepared: Prepared, guard: Guard, recoveries: int, folder: Path) -> dict[str, Any]:
    """Fail, recover with ``recoveries`` processes at once, count, judge; returns the round's part of the report."""
    _fail_in_the_middle(prepared)
    held_before, calls_before = prepared.judge.held(), prepared.judge.calls()
    begun = time.monotonic()
    _recover(prepared, recoveries, folder)
    open_cases(project=prepared.batch.project)
    seconds = time.monotonic() - begun
    held_after, calls = prepared.judge.held(), prepared.judge.calls()
    calls_after = calls[len(calls_before) :]
    lines = []
    for action in _actions(prepared):
        facts = Facts(
            letter=prepared.items[action.pk].letter,
            before=[one for one in held_before if one.marker == action.marker],
            after=[one for one in held_after if one.marker == action.marker],
            sent_before=[one for one in calls_before if one.marker == action.marker],
            sent_after=[one for one in calls_after if one.marker == action.marker],
            account=_account(action),
            can_be_recovered=guard != Guard.NONE,
        )
        lines.append(_line(action, facts))
    mine = {line["marker"] for line in lines}
    return {
        "guard": str(guard),
        "round": "one" if recoveries == 1 else "two",
        "batch": prepared.batch.name,
        "page": prepared.judge.page_url(),
        "seconds": round(seconds, 1),
        "passed": all(line["passed"] for line in lines),
        "items": lines,
        "totals": _totals(mine, held_before, held_after, calls_before, calls_after),
    }


def _recover(prepared: Prepared, recoveries: int, folder: Path) -> None:
    """All of them have ended well; raises DrillBrokenError, and then none is left running."""
    children = start_together(recoveries, prepared.batch.pk, folder, wait_s=RECOVERY_S)
    try:
        for child in children:
            child.finish(within_s=RECOVERY_S * 2)
    finally:
        for child in children:
            child.kill()


def _fail_in_the_middle(prepared: Prepared) -> None:
    """The step's process is killed the moment the target holds the last B; it never hears of it, and never gets to C."""
    child = Child("first_try", str(prepared.batch.pk))
    try:
        _wait_for_last_lost(prepared, child)
    finally:
        child.kill()
    unrecorded = [
        action.pk
        for action in _actions(prepared)
        if prepared.items[action.pk].letter == Letter.A and action.state != State.CONFIRMED
    ]
    if unrecorded:
        raise DrillBrokenError("no-receipt", answers=refusals(prepared.items))


def _wait_for_last_lost(prepared: Prepared, child: Child) -> None:
    until = time.monotonic() + START_S + RECOVERY_S
    while not prepared.judge.holds(prepared.last_lost):
        if not child.is_alive():
            answers = refusals(prepared.items)
            if answers:
                raise DrillBrokenError("items-refused", answers=answers)
            raise DrillBrokenError("ended-early", said=child.complaint())
        if time.monotonic() > until:
            answers = refusals(prepared.items)
            raise (
                DrillBrokenError("items-refused", answers=answers)
                if answers
                else DrillBrokenError("not-as-far")
            )
        time.sleep(0.02)


def _actions(prepared: Prepared) -> list[Action]:
    return list(
        Action.objects.filter(pk__in=prepared.items)
        .select_related("task__product", "task__input_version")
        .order_by("pk")
    )


def _account(action: Action) -> Account:
    case = Case.objects.filter(action=action, status=CaseStatus.OPEN).select_related("owner").first()
    return Account(state=action.state, result_id=action.result_id, owner=case.owner.username if case else "")


def _line(action: Action, facts: Facts) -> dict[str, Any]:
    verdict = judge(facts)
    return {
        "letter": str(facts.letter),
        "identity": str(action.task),
        "task": str(action.task.uuid),
        "marker": action.marker,
        "before": [one.result_id for one in facts.before],
        "sent_first": len(facts.sent_before),
        "sent_in_recovery": len(facts.sent_after),
        "created_in_recovery": sum(call.created for call in facts.sent_after),
        "now": [
            {"id": one.result_id, "created_at": one.created_at, "deleted": one.deleted} for one in facts.after
        ],
        "result_id": facts.account.result_id,
        "state": facts.account.state,
        "owner": facts.account.owner,
        "passed": verdict.passed,
        "why": verdict.why,
    }


def _totals(
    mine: set[str],
    held_before: Sequence[Held],
    held_after: Sequence[Held],
    calls_before: Sequence[Call],
    calls_after: Sequence[Call],
) -> dict[str, int]:
    return {
        "held_before": sum(one.marker in mine for one in held_before),
        "held_now": sum(one.marker in mine and not one.deleted for one in held_after),
        "deleted": sum(one.marker in mine and one.deleted for one in held_after),
        "calls_first": sum(one.marker in mine for one in calls_before),
        "calls_recovery": sum(one.marker in mine for one in calls_after),
    }
