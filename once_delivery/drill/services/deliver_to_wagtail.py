"""Deliver the sample batch to the demo's Wagtail, as drafts that people can open there."""

from __future__ import annotations

from dataclasses import dataclass, field

from once_delivery.accounts.models import Project, User
from once_delivery.intake.samples import autumn_launch
from once_delivery.ledger.models import Action, Batch, RunKind
from once_delivery.ledger.resume import Verb
from once_delivery.ledger.services.plan_batch import tally
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.services.save_target import save_target
from reconciliation.services.audit_target import audit_target

TARGET = "wagtail"
BATCH = "autumn-launch-wagtail"
# tasks of their own: the sandbox has the product pages, and a task has one draft
PURPOSE = "shop-page"
WAIT_S = 60.0


@dataclass(frozen=True, slots=True)
class WagtailAddress:
    """The demo's site: its address, the page below which drafts go, and the token of its account for deliveries."""

    url: str
    section: int
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class DeliveredToWagtail:
    """What stands there after it."""

    batch: Batch
    verbs: dict[Verb, int]


def delivered_to_wagtail(project: Project) -> bool:
    """Whether everything of the batch is confirmed, so that nothing needs to be sent."""
    states = set(
        Action.objects.filter(
            task__references__batch__name=BATCH, task__references__batch__project=project
        ).values_list("state", flat=True)
    )
    return states == {State.CONFIRMED}


def set_wagtail_target(project: Project, site: WagtailAddress) -> Target:
    """The target “wagtail” is there and points to the site; its port may be another one than the last time."""
    return save_target(
        project=project,
        name=TARGET,
        kind="wagtail",
        base_url=site.url,
        declaration={
            "page_type": "catalog.ProductPage",
            "parent_id": site.section,
            "fields": {
                "locale": "language",
                "product": "product",
                "excerpt": "excerpt",
                "featured_media": "hero_image_id",
            },
        },
        profile=default_profiles("wagtail")[Guard.CLIENT_ID].numbers,
        credentials={"token": site.token},
        allow_inside=True,
        is_test=True,
        replace=True,
    )


def deliver_to_wagtail(
    *, project: Project, site: WagtailAddress, user: User | None = None
) -> DeliveredToWagtail:
    """Afterwards every draft and picture of the sample stands in Wagtail exactly once. Again changes nothing."""
    target = set_wagtail_target(project, site)
    request = autumn_launch(target=target.name, name=BATCH, purpose=PURPOSE)
    result = request_batch(project=project, request=request, user=user)
    batch = result.batch
    kind = RunKind.FIRST if result.actions_new else RunKind.RESUME
    resumed = resume_batch(batch=batch, user=user, kind=kind, wait_s=WAIT_S)
    audit_target(target=target, user=user)
    return DeliveredToWagtail(batch=batch, verbs=tally(resumed.after))
