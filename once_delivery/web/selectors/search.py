"""Finding things by what people have in hand: IDs, markers, titles, names. Of one's own projects alone (R14).

Every lookup goes by an index or through one project's products or batches; none reads all actions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import User
from once_delivery.web.selectors import search_actions, search_names
from once_delivery.web.selectors.found import MOST, Hit

LONGEST = 300


@dataclass(frozen=True, slots=True)
class Group:
    """Things found in the same way, the exact ones first; ``more``: there are further ones."""

    title: str
    hits: list[Hit]
    more: bool


@dataclass(slots=True)
class Found:
    """What a search found."""

    query: str
    groups: list[Group] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(len(group.hits) for group in self.groups)


def search(user: User, query: str) -> Found:
    """Everything that ``query`` may mean; the number of queries does not depend on what is found."""
    query = " ".join(query.replace("\x00", "").split())[:LONGEST]
    found = Found(query)
    projects = list(projects_of(user).order_by("name"))
    if not query or not projects:
        return found
    groups = (
        _group(_("By result ID"), search_actions.by_result(projects, query)),
        _group(_("By marker"), search_actions.by_marker(projects, query)),
        _group(_("Cases"), search_names.cases(projects, query)),
        _group(_("Tasks by ID"), search_names.tasks(projects, query)),
        _group(_("Outside executions"), search_names.runs(projects, query)),
        _group(_("Batches"), search_names.batches(projects, query)),
        _group(_("Products"), search_names.products(projects, query)),
        _group(_("Titles"), search_actions.by_title(projects, query)),
    )
    # what matches exactly comes first, whatever it is
    found.groups = sorted(
        (group for group in groups if group.hits), key=lambda group: not any(hit.exact for hit in group.hits)
    )
    return found


def _group(title: str, hits: Iterable[Hit]) -> Group:
    ordered = sorted(hits, key=lambda hit: not hit.exact)
    return Group(title, ordered[:MOST], more=len(ordered) > MOST)
