"""The places of the house, as the menu shows them: one line a place."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Place:
    """A page that the menu leads to, and the first parts of the addresses that lie in it."""

    key: str
    icon: str  # in templates/ui/sprite.html
    address: str  # name of the address
    word: Promise
    parts: tuple[str, ...]
    if_asked: bool = False  # only for those whom somebody asks there, or whose role it is


PLACES: tuple[Place, ...] = (
    Place("home", "home", "web:home", _("Home"), ("",)),
    Place("batches", "batch", "web:batches", _("Batches"), ("batches", "tasks")),
    Place("review", "review", "web:review", _("Review"), ("review",)),
    Place("cases", "case", "web:cases", _("Cases"), ("cases",)),
    Place("approvals", "answer", "web:approvals", _("Approvals"), ("approvals",), if_asked=True),
    Place("targets", "target", "web:targets", _("Targets"), ("targets",)),
    Place("finance", "finance", "web:books", _("Finance"), ("finance",), if_asked=True),
    Place("project", "project", "web:projects", _("Project"), ("projects",)),
    Place("drills", "drill", "drill:list", _("Acceptance drill"), ("drills",)),
)


def place_of(path: str) -> str:
    """The key of the place that an address lies in; "" for none."""
    first = path.strip("/").split("/", 1)[0]
    return next((place.key for place in PLACES if first in place.parts), "")
