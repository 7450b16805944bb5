"""What a provider asks for a unit on a day: it estimates, and never settles."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext

from billing.models import PriceVersion
from once_delivery.accounts.models import Project


@dataclass(frozen=True, slots=True)
class PriceList:
    """All price versions of a project, read once: (provider, unit) → versions, the one that goes first in front."""

    versions: dict[tuple[str, str], list[PriceVersion]]

    @classmethod
    def of(cls, project: Project) -> PriceList:
        """Among those that are valid on a day the latest ``valid_from`` holds, then the one that was saved last."""
        found: dict[tuple[str, str], list[PriceVersion]] = defaultdict(list)
        for version in PriceVersion.objects.filter(project=project).order_by("-valid_from", "-pk"):
            found[version.provider, version.unit.casefold()].append(version)
        return cls(dict(found))

    def on(self, *, provider: str, model: str, unit: str, day: date) -> PriceVersion | None:
        """The price of a unit of ``model``, else that of any model of the provider; None: it is unknown."""
        valid = [
            one
            for one in self.versions.get((provider, unit.casefold()), ())
            if one.valid_from <= day and (one.valid_until is None or day <= one.valid_until)
        ]
        own = next((one for one in valid if one.model == model), None)
        return own or next((one for one in valid if not one.model), None)


def cost_of(units: Decimal, version: PriceVersion) -> Decimal:
    """The exact cost in the price's currency, to the twelve decimals that are kept."""
    with localcontext(prec=80):
        return (units * version.price).quantize(Decimal("1e-12"))
