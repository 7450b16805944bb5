"""Asking for deliveries, and reading how they stand."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints

from once_delivery.api.schemas.common import Code, Content, DeliveryOut, Identity, Moment, Name, Taken
from once_delivery.ledger.states import State
from once_delivery.targets.base import Kind

ITEMS_MOST = 1000


class ActionIn(Taken):
    """One effect wanted at one target. A content may hold `{"$result": "<slot>"}`: it waits for that one's result."""

    target: Annotated[str, StringConstraints(min_length=1, max_length=50)]
    kind: Kind = Kind.CREATE_DRAFT
    slot: Code = "main"
    content: Content
    performed_by: Literal["once", "permit"] = Field(
        "once", description="`permit`: an outside workflow performs it and asks for a permit first."
    )


class ItemIn(Taken):
    """One delivery: either `target` with `content` (one draft), or `actions`."""

    identity: Identity
    product_name: Annotated[str, StringConstraints(max_length=300)] = ""
    brief: Content | None = Field(
        None, description="The approved brief; needed the first time an input version is named."
    )
    approved_by: Annotated[str, StringConstraints(max_length=200)] = ""
    approved_at: Moment | None = None
    target: Annotated[str, StringConstraints(max_length=50)] = ""
    content: Content | None = None
    actions: Annotated[list[ActionIn], Field(max_length=20)] = []


class DeliveriesIn(Taken):
    """1 to 1000 items, all of them or none."""

    items: Annotated[list[ItemIn], Field(min_length=1, max_length=ITEMS_MOST)]
    batch: Annotated[str, StringConstraints(max_length=200)] = Field(
        "", description="Name of the batch; without one the execution's, or the day's."
    )
    execution: Annotated[str, StringConstraints(max_length=200)] = Field(
        "", description="ID of the outside execution (n8n's, say); it shows as the run."
    )


class BatchOut(Schema):
    id: UUID
    name: str


class AskedOut(Schema):
    """What asking did: `deliveries` in the order of the items. `suppressed` asked for what existed already."""

    batch: BatchOut
    deliveries: list[DeliveryOut]
    tasks_new: int
    actions_new: int
    suppressed: int
    superseded: int


class DeliveriesOut(Schema):
    """`next`: give it as `after` to go on; null at the end."""

    deliveries: list[DeliveryOut]
    next: UUID | None


class DeliveriesQuery(Schema):
    """By identity (parts of it), by outside execution, by state, by batch."""

    model_config = ConfigDict(extra="forbid")

    product: Code | None = None
    locale: Annotated[str, StringConstraints(min_length=1, max_length=80)] | None = None
    purpose: Code | None = None
    input_version: Annotated[int, Field(ge=1, le=2**31 - 1)] | None = None
    execution: Name | None = None
    state: State | None = None
    batch: UUID | None = None
    after: UUID | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class StepOut(Schema):
    """One line of a resume plan."""

    action: UUID
    state: State
    verb: str = Field(description="reuse, look_up, replay, wait, perform, person or nothing")
    reason: str
    why: str
    not_before: datetime | None


class PlanOut(Schema):
    batch: BatchOut
    counts: dict[str, int]
    steps: list[StepOut]


class ResumeIn(Taken):
    execution: Annotated[str, StringConstraints(max_length=200)] = ""


class ResumedOut(Schema):
    """A worker is woken; what it does shows in the deliveries."""

    batch: BatchOut
    counts: dict[str, int]
