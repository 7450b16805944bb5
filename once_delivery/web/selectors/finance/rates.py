"""What amounts are worked out with, as it is kept; and what is used and has no price."""

from __future__ import annotations

from dataclasses import dataclass

from billing.models import FxRate, PlatformFee, PriceVersion, RateCard
from billing.selectors.queue import UnknownCost, unknown_costs
from once_delivery.accounts.models import Project

SHOWN = 30


@dataclass(frozen=True, slots=True)
class Rates:
    """The newest of each; ``unknown``: usage that no price fits."""

    fx: tuple[FxRate, ...]
    prices: tuple[PriceVersion, ...]
    cards: tuple[RateCard, ...]
    fees: tuple[PlatformFee, ...]
    unknown: tuple[UnknownCost, ...]


def rates_of(project: Project) -> Rates:
    """Of one project."""
    return Rates(
        fx=tuple(FxRate.objects.filter(project=project).order_by("-day", "-pk")[:SHOWN]),
        prices=tuple(
            PriceVersion.objects.filter(project=project).order_by("provider", "model", "-valid_from", "-pk")[
                :SHOWN
            ]
        ),
        cards=tuple(RateCard.objects.filter(project=project).order_by("role", "-valid_from", "-pk")[:SHOWN]),
        fees=tuple(
            PlatformFee.objects.filter(project=project).order_by("code", "-valid_from", "-pk")[:SHOWN]
        ),
        unknown=tuple(unknown_costs(project)),
    )
