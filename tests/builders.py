"""Typed builders with visible defaults: a project, its people, a target, a batch."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from once_delivery.accounts.models import Client, Membership, Project, Role, User
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.requests import ActionRequest, BatchRequest, DeliveryRequest
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Target

APPROVED_AT = datetime(2026, 9, 1, 9, 0, tzinfo=UTC)


def a_user(name: str = "ops") -> User:
    user, _ = User.objects.get_or_create(username=name)
    return user


def a_project(code: str = "aurora") -> Project:
    ops, deputy = a_user("ops"), a_user("deputy")
    client, _ = Client.objects.get_or_create(name="Aurora")
    project, made = Project.objects.get_or_create(
        code=code,
        defaults={"client": client, "name": code.title(), "default_owner": ops, "stand_in_owner": deputy},
    )
    if made:
        for user in (ops, deputy):
            Membership.objects.create(project=project, user=user, role=Role.OPS_OWNER)
    return project


def a_profile(**changes: Any) -> dict[str, Any]:
    return {
        "guard": "lookup",
        "look_up": True,
        "consistency": "strong",
        "deadline_s": 1.0,
        "settle_s": 0.5,
        "look_up_every_s": 0.1,
        "patience_s": 1.0,
        "window_margin_s": 0.0,
        **changes,
    }


def a_target(project: Project, *, name: str = "cms", kind: str = "fake", **profile: Any) -> Target:
    return Target.objects.create(project=project, name=name, kind=kind, profile_data=a_profile(**profile))


def a_delivery(product: str = "kettle", locale: str = "de-DE", **changes: Any) -> DeliveryRequest:
    values: dict[str, Any] = {
        "product": product,
        "product_name": product.title(),
        "locale": locale,
        "purpose": "product-page",
        "input_version": 1,
        "brief": {"text": f"brief of {product}"},
        "approved_by": "marketing",
        "approved_at": APPROVED_AT,
        "actions": (a_draft(title=f"{product} {locale}"),),
        **changes,
    }
    return DeliveryRequest(**values)


def a_draft(
    title: str = "Kettle", *, target: str = "cms", slot: str = "main", **payload: Any
) -> ActionRequest:
    return ActionRequest(
        target=target,
        kind=Kind.CREATE_DRAFT,
        slot=slot,
        payload={"title": title, "body": "<p>…</p>", **payload},
    )


def a_batch(project: Project, *deliveries: DeliveryRequest, name: str = "autumn", **changes: Any) -> Batch:
    result = request_batch(
        project=project,
        request=BatchRequest(name=name, deliveries=deliveries or (a_delivery(),), **changes),
        user=None,
    )
    return result.batch


def the_action(batch: Batch) -> Action:
    return Action.objects.get(task__references__batch=batch)


def actions_of(batch: Batch) -> list[Action]:
    return list(Action.objects.filter(task__references__batch=batch).order_by("pk"))
