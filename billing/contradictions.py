"""What others of the two assets' groups say against a decision about a pair; nobody's decision is passed over."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q
from django.utils.translation import gettext_noop

from billing.groups import group_of
from billing.models import SAID_TO_BE_TWO, Duplicate, DuplicateStatus
from billing.pairs import either_way
from once_delivery.common.errors import DomainError
from once_delivery.review.models import Asset

_TASKS = tuple(
    f"{side}__task__{name}" for side in ("asset", "survivor") for name in ("product", "input_version")
)


class SaidToBeTwoError(DomainError):
    """What the decision would make one, by way of others, is on record as two."""

    code = "said-to-be-two"
    template = gettext_noop(
        "Then “%(one)s” and “%(other)s” would be one deliverable, too, and those two were said to be two."
        " Decide about that pair first, or open it again."
    )


class OneThroughOthersError(DomainError):
    """The two are one by way of others, whatever is said of this pair."""

    code = "one-through-others"
    template = gettext_noop(
        "The two are one deliverable through others, too: “%(one)s” and “%(other)s” were said to be one."
        " Decide about that pair first, or open it again."
    )


def must_not_contradict(asset: Asset, survivor: Asset, status: DuplicateStatus) -> None:
    """Raises SaidToBeTwoError where the two would be one, OneThroughOthersError where they would be two."""
    if status == DuplicateStatus.DECIDED:
        two = _two_between(asset, survivor)
        if two is not None:
            raise SaidToBeTwoError(one=str(two.asset.task), other=str(two.survivor.task))
    elif status in SAID_TO_BE_TWO:
        link = _link_through_others(asset.pk, survivor.pk)
        if link is not None:
            raise OneThroughOthersError(one=str(link.asset.task), other=str(link.survivor.task))


def _two_between(asset: Asset, survivor: Asset) -> Duplicate | None:
    ones, others = group_of(asset.pk), group_of(survivor.pk)
    across = Q(asset__in=ones, survivor__in=others) | Q(asset__in=others, survivor__in=ones)
    found = Duplicate.objects.filter(across, status__in=SAID_TO_BE_TWO).exclude(
        either_way(asset.pk, survivor.pk)
    )
    return found.select_related(*_TASKS).order_by("pk").first()


def _link_through_others(one: int, other: int) -> Duplicate | None:
    """A pair without which the two were not one in this way."""
    group = group_of(one)
    if other not in group:
        return None
    rows = Duplicate.objects.filter(asset__in=group, status=DuplicateStatus.DECIDED)
    links = list(rows.exclude(either_way(one, other)).select_related(*_TASKS).order_by("pk"))
    return _last_link(links, one, other)


def _last_link(links: Iterable[Duplicate], one: int, other: int) -> Duplicate | None:
    reached, grows = {one}, True
    while grows:
        grows = False
        for link in links:
            ends = {link.asset_id, link.survivor_id}
            if len(ends & reached) == 1:
                if other in ends:
                    return link
                reached |= ends
                grows = True
    return None
