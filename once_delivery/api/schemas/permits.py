"""Asking before an action is performed elsewhere, and reporting what came of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from ninja import Schema
from pydantic import AfterValidator, Field, StringConstraints

from once_delivery.api.schemas.common import ActionOut, Code, Content, Flag, Identity, Moment, Taken, Text500
from once_delivery.api.schemas.rules import known_currency, result_id
from once_delivery.ledger.services.give_permit import Answer
from once_delivery.ledger.states import State
from once_delivery.targets.base import Kind, Outcome, Verdict

Seconds = Annotated[float, Field(ge=5, le=3600)]
Status = Annotated[int, Field(ge=100, le=599)]
ResultId = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300), AfterValidator(result_id)
]
Address = Annotated[str, StringConstraints(max_length=1000)]
Marker = Annotated[str, StringConstraints(max_length=300)]
Number = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,15}(\.[0-9]{1,10})?$")]


class AskIn(Taken):
    """How a permit is wanted."""

    execution: Annotated[str, StringConstraints(max_length=200)] = ""
    lease_s: Seconds | None = Field(None, description="How long you need; the target's own time otherwise.")
    retry_refused: Flag = Field(
        default=True, description="Try again what the target refused (it made nothing)."
    )


class PermitIn(AskIn):
    """Which action: the identity, the target, and the content (its fingerprint guards the identity)."""

    identity: Identity
    product_name: Annotated[str, StringConstraints(max_length=300)] = ""
    brief: Content | None = None
    approved_by: Annotated[str, StringConstraints(max_length=200)] = ""
    approved_at: Moment | None = None
    target: Annotated[str, StringConstraints(min_length=1, max_length=50)]
    kind: Kind = Kind.CREATE_DRAFT
    slot: Code = "main"
    content: Content
    batch: Annotated[str, StringConstraints(max_length=200)] = ""


class WitnessOut(Schema):
    """An object of ours that was made later. Where an index lags, absence counts only if you see this one."""

    marker: str
    client_id: UUID


class PermitOut(Schema):
    """The answer: `go`, `reuse`, `wait`, `look_up` or `stop`. `permit` is shown here once, for go and look_up."""

    answer: Answer
    reason: str
    why: str
    action: ActionOut
    permit: str | None = None
    expires_at: datetime | None = None
    marker: str = Field(description="Plant it in the object; ask the target for it when you look up.")
    client_id: UUID = Field(description="The object's ID, where the target lets you choose it.")
    idempotency_key: str | None = Field(None, description="Send it with the request, with go.")
    replay: bool = Field(
        default=False, description="An earlier request may have arrived: send exactly the same again."
    )
    deadline_s: float | None = Field(None, description="Time limit for your whole request.")
    attempt: int | None = Field(None, description="For POST /attempts/{attempt}/costs.")
    results: dict[str, str] = Field({}, description="Result IDs that the content refers to, by slot.")
    again_at: datetime | None = None
    absent_counts_from: datetime | None = None
    witness: WitnessOut | None = None


class CostIn(Taken):
    """What it used and cost. Numbers as decimal texts: money is never a float."""

    provider: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    request_id: Annotated[str, StringConstraints(max_length=200)] = ""
    units: Number | None = None
    unit: Annotated[str, StringConstraints(max_length=60)] = ""
    amount: Number | None = None
    currency: Annotated[str, StringConstraints(pattern=r"^([A-Z]{3})?$"), AfterValidator(known_currency)] = ""


class DoneIn(Taken):
    """The target answered with an ID. `marker`: what its answer carries, if it echoes it."""

    result_id: ResultId
    url: Address = ""
    marker: Marker | None = None
    http_status: Status | None = None
    finished: Flag = Field(default=True, description="False: a job was accepted and is still running.")
    cost: CostIn | None = None


class RefusedIn(Taken):
    """Nothing was made. `not_done`: it did not process it (429); `not_sent`: no request left you."""

    outcome: Literal["refused", "not_done", "not_sent"] = "refused"
    http_status: Status | None = None
    code: Annotated[str, StringConstraints(max_length=60)] = ""
    detail: Text500 = ""
    retry_after_s: Annotated[float, Field(ge=0, le=86400)] | None = None
    cost: CostIn | None = None


class UnknownIn(Taken):
    """It may have arrived: no answer, a time-out, a 5xx, an answer that cannot be read."""

    http_status: Status | None = None
    code: Annotated[str, StringConstraints(max_length=60)] = ""
    detail: Text500 = ""
    cost: CostIn | None = None


class ObjectIn(Taken):
    """One object that you saw. `marker`: what it carries, null when you could not read it."""

    result_id: ResultId
    marker: Marker | None = None
    url: Address = ""
    status: Annotated[str, StringConstraints(max_length=60)] = ""
    title: Text500 = ""
    trashed: Flag = False
    finished: Flag = True
    failed: Flag = False


class FoundIn(Taken):
    """What you saw, and how."""

    objects: Annotated[list[ObjectIn], Field(min_length=1, max_length=50)]
    method: Annotated[str, StringConstraints(min_length=1, max_length=100)] = Field(
        description="How you looked, for people: `GET /posts?meta=once-…`."
    )
    complete: Flag = False
    http_status: Status | None = None
    detail: Text500 = ""
    cost: CostIn | None = None


class AbsentIn(Taken):
    """You looked and it is not there. `complete`: every page and every status, drafts and trash included."""

    method: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    complete: Flag
    http_status: Status | None = None
    detail: Text500 = ""
    witness: Marker = Field("", description="The marker of the witness, if you saw it in the same look.")


class BeatIn(Taken):
    lease_s: Seconds | None = None


class BeatOut(Schema):
    expires_at: datetime


class ReportOut(Schema):
    """What was made of a report: `taken_as` need not be what you said. `late`: your permit was over; it is kept."""

    taken_as: Outcome | Verdict
    code: str
    state: State
    why: str
    late: bool = False
    repeated: bool = False
    absence_proven: bool = False
    absent_counts_from: datetime | None = None
    action: ActionOut


class CostOut(Schema):
    """`new`: false when the same was told before; it is counted once."""

    id: int
    new: bool
