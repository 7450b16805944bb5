"""What is to be seen of the queue, as its address says it; and what can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from urllib.parse import urlencode

from django.db.models import Q
from django.http import QueryDict

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import Membership, Project, User
from once_delivery.targets.models import Target
from once_delivery.web.services.saved_views import filters_of
from reconciliation.decisions import DECIDERS
from reconciliation.models import CaseKind, CaseStatus

VIEWS = ("open", "mine", "waiting", "off", "resolved")
# by working time: up to 4 hours, to 8, to the end of the next working day, to four days, and all that is older
AGES = ("0-4", "4-8", "1d", "2-3d", "more")


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """Empty means: all of them."""

    view: str = "open"
    project: str = ""
    target: str = ""
    kind: str = ""
    owner: str = ""
    age: str = ""

    @property
    def rest(self) -> Q:
        """The filters beside the view and the age."""
        wanted = Q()
        if self.project:
            wanted &= Q(project__code=self.project)
        if self.target:
            # by their IDs: each case is looked up at its action, and not at that action's target as well
            named = Target.objects.filter(name=self.target).values_list("pk", flat=True)
            wanted &= Q(action__target__in=list(named))
        if self.kind:
            wanted &= Q(kind=self.kind)
        if self.owner:
            wanted &= Q(owner__username=self.owner)
        return wanted

    @property
    def narrowed(self) -> bool:
        """Something beside the view is chosen."""
        return bool(self.project or self.target or self.kind or self.owner or self.age)

    @property
    def keepable(self) -> bool:
        """Something is chosen that a person may want to come back to."""
        return self.narrowed or self.view != "open"

    @property
    def query(self) -> str:
        """The address that says the same."""
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        return filters_of("cases", urlencode(said | {"view": "" if self.view == "open" else self.view}))

    def view_of(self, user: User, now: datetime) -> Q:
        return self.of_view(self.view, user, now)

    @staticmethod
    def of_view(view: str, user: User, now: datetime) -> Q:
        """Which cases a view has. What was put off is hidden until its time."""
        if view == "resolved":
            return Q(status=CaseStatus.RESOLVED)
        put_off = Q(snoozed_until__gt=now)
        if view == "off":
            return Q(status=CaseStatus.OPEN) & put_off
        here = Q(status=CaseStatus.OPEN) & (Q(snoozed_until=None) | Q(snoozed_until__lte=now))
        if view == "mine":
            here &= Q(owner=user)
        if view == "waiting":
            here &= Q(paused_at__isnull=False)
        return here


@dataclass(frozen=True, slots=True)
class Choices:
    """What the filters offer."""

    projects: Sequence[Project]
    targets: Sequence[str]
    kinds: Sequence[tuple[str, str]]
    owners: Sequence[User]


def read_filter(query: QueryDict) -> QueueFilter:
    """What is not known is not filtered by; what is nobody's shows nothing."""
    view, age, kind = query.get("view", ""), query.get("age", ""), query.get("kind", "")
    return QueueFilter(
        view=view if view in VIEWS else "open",
        project=_text(query, "project"),
        target=_text(query, "target"),
        kind=kind if kind in CaseKind.values else "",
        owner=_text(query, "owner"),
        age=age if age in AGES and view != "resolved" else "",
    )


def choices_of(user: User) -> Choices:
    """The person's projects, their targets, and who decides there."""
    projects = list(projects_of(user).order_by("name"))
    targets = Target.objects.filter(project__in=projects).order_by("name").values_list("name", flat=True)
    return Choices(
        projects=projects,
        targets=list(targets.distinct()),
        kinds=[(value, str(label)) for value, label in CaseKind.choices],
        owners=deciders_of(projects),
    )


def deciders_of(projects: Sequence[Project]) -> list[User]:
    """Everybody who decides in one of these projects, by name."""
    members = Membership.objects.filter(project__in=projects, role__in=DECIDERS, user__is_active=True)
    people = {one.user_id: one.user for one in members.select_related("user")}
    return sorted(people.values(), key=lambda user: (user.get_full_name() or user.username, user.pk))


def _text(query: QueryDict, name: str) -> str:
    return query.get(name, "")[:150].replace("\x00", "")
