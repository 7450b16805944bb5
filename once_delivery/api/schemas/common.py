"""Shapes that several calls share."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from ninja import Schema
from pydantic import AwareDatetime, BeforeValidator, ConfigDict, Field, Strict, StringConstraints
from pydantic_core import PydanticCustomError

from once_delivery.api.misfits import BAD_TIME
from once_delivery.api.waiting import LONGEST_S
from once_delivery.common.moments import aware_moment_of
from once_delivery.ledger.states import State
from once_delivery.targets.base import Kind

Code = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Version = Annotated[int, Strict(), Field(ge=1, le=2**31 - 1)]
Text500 = Annotated[str, StringConstraints(max_length=500)]
Content = dict[str, Any]
Flag = Annotated[bool, Strict()]


def _moment(said: object) -> datetime:
    """By the house's own rule: pydantic guesses at numbers, and knows no bounds."""
    found = aware_moment_of(said.upper()) if isinstance(said, str) else None
    if found is None:
        raise PydanticCustomError(BAD_TIME, "no moment that can be meant")
    return found


Moment = Annotated[AwareDatetime, BeforeValidator(_moment)]


class Taken(Schema):
    """What is sent: an unknown field is refused, not ignored."""

    model_config = ConfigDict(extra="forbid")


class WaitQuery(Taken):
    """Long poll: the answer comes when there is one, or after so many seconds. At once when too many wait already."""

    wait: Annotated[int, Field(ge=0, le=LONGEST_S)] = 0


class Identity(Taken):
    """What a delivery is, whoever asks and however often: never a run's ID."""

    product: Code
    locale: Annotated[str, StringConstraints(min_length=1, max_length=80)] = Field(
        description="BCP 47, such as de-CH or zh-Hans."
    )
    purpose: Code
    input_version: Version


class ActionOut(Schema):
    """One external effect, and where it stands. `uncertain` and `reconcile` are neither failed nor done."""

    id: UUID
    target: str
    kind: Kind
    slot: str
    state: State
    label: str = Field(description="The state in the caller's language.")
    reason: str
    why: str = Field(description="The reason as a sentence in the caller's language.")
    marker: str = Field(description="What the object at the target carries.")
    fingerprint: str
    performed_by: str = Field(description="`once`, or `permit`: an outside workflow under a permit.")
    result_id: str
    result_url: str
    confirmed_at: datetime | None
    presence: str
    checked_at: datetime | None
    next_step: str
    next_step_at: datetime | None


class DeliveryOut(Schema):
    """One task with its actions. `settled`: nothing moves any more by itself (done, refused, closed, or a person's)."""

    id: UUID
    identity: Identity
    state: State = Field(description="Of its actions, the state that needs most attention.")
    settled: bool
    actions: list[ActionOut]
    created_at: datetime


class ProblemOut(Schema):
    """RFC 9457. `code` is stable; `detail` is in the language of `Accept-Language`."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    problems: list[dict[str, Any]] | None = None
