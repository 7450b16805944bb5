"""Counting actions by state, in the order in which a person wants to read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from once_delivery.ledger.states import State

# what needs somebody first, then what is on its way, then what is at rest
URGENT_FIRST: tuple[State, ...] = (
    State.RECONCILE,
    State.REFUSED,
    State.UNCERTAIN,
    State.SENDING,
    State.ACCEPTED,
    State.PLANNED,
    State.CONFIRMED,
    State.SUPERSEDED,
    State.CANCELLED,
)
RANK: dict[str, int] = {str(state): rank for rank, state in enumerate(URGENT_FIRST)}
TROUBLE = frozenset({State.RECONCILE, State.REFUSED, State.UNCERTAIN})
MOVING = frozenset({State.SENDING, State.ACCEPTED})


@dataclass(frozen=True, slots=True)
class Count:
    """How many actions are in a state."""

    state: str
    count: int

    @property
    def word(self) -> str:
        return str(State(self.state).label)


@dataclass(frozen=True, slots=True)
class Tally:
    """Actions by state. Uncertain and to-be-reconciled are neither done nor failed."""

    by_state: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.by_state.values())

    @property
    def counts(self) -> list[Count]:
        """Only what there is, confirmed first, then what needs somebody."""
        order = (State.CONFIRMED, *(state for state in URGENT_FIRST if state != State.CONFIRMED))
        return [Count(str(state), self.by_state[state]) for state in order if self.by_state.get(state)]

    def of(self, *states: State) -> int:
        return sum(self.by_state.get(state, 0) for state in states)

    @property
    def confirmed(self) -> int:
        return self.of(State.CONFIRMED)

    @property
    def uncertain(self) -> int:
        return self.of(State.UNCERTAIN)

    @property
    def reconcile(self) -> int:
        return self.of(State.RECONCILE)

    @property
    def refused(self) -> int:
        return self.of(State.REFUSED)

    @property
    def moving(self) -> int:
        return self.of(State.SENDING, State.ACCEPTED)

    @property
    def planned(self) -> int:
        return self.of(State.PLANNED)

    @property
    def closed(self) -> int:
        return self.of(State.SUPERSEDED, State.CANCELLED)

    @property
    def complete(self) -> bool:
        """Everything that is still wanted is confirmed."""
        return self.total > 0 and self.confirmed + self.closed == self.total
