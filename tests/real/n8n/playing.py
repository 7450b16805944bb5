"""Plays the cases on a live n8n and counts what the target then holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from once_delivery.drill.losing_proxy import LosingProxy
from tests.real.n8n.cases import Case
from tests.real.n8n.places import LETTERS, Place
from tests.real.systems.n8n import Execution, N8nServer

AT_ONCE = 3  # cases


@dataclass(frozen=True, slots=True)
class Played:
    """What a case left: drafts by letter in the target's own inventory, and what n8n said of its executions."""

    case: Case
    held: dict[str, int]
    executions: tuple[Execution, ...]

    @property
    def counted(self) -> str:
        """``A1 B2 C1``."""
        return " ".join(f"{letter}{count}" for letter, count in self.held.items())

    @property
    def statuses(self) -> list[str]:
        return [one.status for one in self.executions]


class LivePlay:
    """See :class:`tests.real.n8n.cases.Play`."""

    def __init__(self, n8n: N8nServer, workflow_id: str, hook: str, tasks: list[dict[str, Any]]) -> None:
        self._n8n = n8n
        self._workflow_id = workflow_id
        self._hook = hook
        self._tasks = tasks

    def trigger(self) -> None:
        assert self._n8n.call_webhook(self._hook, {"tasks": self._tasks}) == 200

    def settle(self, executions: int) -> list[str]:
        return [one.id for one in self._n8n.settled(self._workflow_id, executions)]

    def retry(self, execution: str) -> int:
        return self._n8n.retry(execution)

    def executions(self) -> tuple[Execution, ...]:
        return tuple(self._n8n.execution(one.id) for one in self._n8n.executions(self._workflow_id))


@dataclass(frozen=True, slots=True)
class Stage:
    """Where one case is played: its target, and the workflow before it."""

    place: Place
    workflow: dict[str, Any]
    hook: str
    proxies: tuple[
        LosingProxy, ...
    ] = ()  # those that lose an answer about B, beside the one before the place
    losses: int = 1


def tasks_of(place: Place) -> list[dict[str, Any]]:
    """Three tasks as the API takes them, named so that each draft tells whose it is."""
    return [
        {
            "identity": {
                "product": f"{place.name}-{letter}".lower(),
                "locale": "de-DE",
                "purpose": "product-page",
                "input_version": 1,
            },
            "brief": {"text": f"What is said of {letter}."},
            "content": {"title": f"{place.name} {letter}", "body": f"<p>{letter}</p>"},
        }
        for letter in LETTERS
    ]


def play(n8n: N8nServer, case: Case, stage: Stage) -> Played:
    """Play one case; what is left of it in n8n goes."""
    place = stage.place
    for proxy in (place.proxy, *stage.proxies):
        proxy.lose(f"{place.name} B", times=stage.losses)
    workflow_id = n8n.add_workflow(stage.workflow)
    try:
        live = LivePlay(n8n, workflow_id, stage.hook, tasks_of(place))
        case.play(live)
        found = place.held()
        held = {letter: found[f"{place.name} {letter}"] for letter in LETTERS}
        assert sum(held.values()) == sum(found.values()), found
        assert place.lost() == 1, "the answer of B was not lost"
        return Played(case, held, live.executions())
    finally:
        n8n.drop_workflow(workflow_id)


def play_all(n8n: N8nServer, cases: Iterable[Case], stage_of: Callable[[Case], Stage]) -> dict[str, Played]:
    """Play several cases, a few of them at a time; by key."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        played = pool.map(lambda case: play(n8n, case, stage_of(case)), cases)
        return {one.case.key: one for one in played}
