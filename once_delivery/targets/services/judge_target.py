"""Write down what stands refuted of a target, where sends and decisions read it."""

from __future__ import annotations

from django.db import transaction

from once_delivery.targets.models import Target
from once_delivery.targets.refutations import as_kept, standing_refutations


def judge_target(*, target_id: int) -> Target:
    """Afterwards ``Target.refuted`` says what stands refuted of the stored profile, from all probes so far."""
    with transaction.atomic():
        target = Target.objects.select_for_update().get(pk=target_id)
        target.refuted = as_kept(standing_refutations(target, target.claimed_profile))
        target.save(update_fields=["refuted"])
    return target
