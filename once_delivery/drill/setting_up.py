"""Set up one round: a space of the sandbox with its guard, a test target, a batch with its faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from once_delivery.accounts.models import Project, User
from once_delivery.common.secrets import seal
from once_delivery.drill.judge import Judge, SandboxJudge
from once_delivery.drill.scenario import Item, Letter
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.requests import ActionRequest, BatchRequest, DeliveryRequest
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from once_delivery.targets.rest.profiles import ready_profile

# what the sandbox does for each guard; everything else is off
SPACES: dict[Guard, dict[str, Any]] = {
    Guard.IDEMPOTENCY_KEY: {"idempotency": True, "lookup": "none"},
    Guard.CLIENT_ID: {"client_ids": True, "unique_marker": True},
    Guard.LOOKUP: {"lookup": "marker"},
    Guard.NONE: {"lookup": "none"},
}
# short, so that a drill takes seconds: nothing in the sandbox is slower than this
TIMES = {"deadline_s": 2.0, "settle_s": 3.0, "look_up_every_s": 0.5, "concurrency": 1, "patience_s": 30.0}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A batch that is about to fail."""

    batch: Batch
    judge: Judge
    items: dict[int, Item]  # by action ID
    last_lost: str  # marker of the last B: when the target has it, the step fails


def make_target(
    *, project: Project, admin: SandboxAdmin, guard: Guard, name: str, by_hand: bool = False
) -> tuple[Target, Judge]:
    """A space with this guard and a drill's own target that points to it.

    ``by_hand``: the house's workers leave it alone.
    """
    space = admin.put_space(name, **SPACES[guard])
    ready = ready_profile("sandbox", guard)
    target = Target.objects.create(
        project=project,
        name=name,
        kind="rest",
        base_url=admin.content_url(name),
        declaration=ready.declaration,
        profile_data={**ready.profile, **TIMES},
        credentials_sealed=seal({"token": space["token"]}),
        allow_inside=True,
        is_test=True,
        by_hand=by_hand,
        of_drill=True,
    )
    return target, SandboxJudge(admin, name)


def hand_back(target: Target) -> None:
    """The drill is over: what people decide about its drafts later is done as anywhere else."""
    Target.objects.filter(pk=target.pk).update(by_hand=False)


def make_batch(
    *, project: Project, target: Target, judge: Judge, items: list[Item], name: str, user: User | None
) -> Prepared:
    """A batch of drafts; the B ones are armed to lose their answer, the last of them while its sender dies."""
    purpose = name.casefold()
    result = request_batch(
        project=project,
        request=BatchRequest(name=name, deliveries=tuple(_delivery(item, target, purpose) for item in items)),
        user=user,
    )
    batch = result.batch
    by_place = {(item.product, item.locale): item for item in items}
    actions = list(
        Action.objects.filter(task__references__batch=batch).select_related("task__product").order_by("pk")
    )
    known = {action.pk: by_place[action.task.product.code, action.task.locale] for action in actions}
    lost = [action.marker for action in actions if known[action.pk].letter == Letter.B]
    for marker in lost:
        judge.lose_answer(marker, keep_open=marker == lost[-1])
    return Prepared(batch=batch, judge=judge, items=known, last_lost=lost[-1])


def _delivery(item: Item, target: Target, purpose: str) -> DeliveryRequest:
    return DeliveryRequest(
        product=item.product,
        product_name=item.product_name,
        locale=item.locale,
        purpose=purpose,
        input_version=1,
        brief=None,
        actions=(
            ActionRequest(
                target=target.name,
                kind=Kind.CREATE_DRAFT,
                slot="main",
                payload={
                    "title": f"{item.product_name} · {item.locale}",
                    "body": f"<p>{item.product_name}</p>",
                    "locale": item.locale,
                    "product": item.product,
                },
            ),
        ),
    )
