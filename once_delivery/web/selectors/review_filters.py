"""Which drafts a person wants to see, as it stands in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q, QuerySet

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import User
from once_delivery.ledger.models import Batch, Product, Task
from once_delivery.review.waiting import TO_DO, LookedAt, ReviewState, reviewable, with_seen
from once_delivery.web.services.saved_views import filters_of

CHOICES_MOST = 200
_LOOKED_AT = 2000  # tasks, the newest, whose locales and purposes are offered
STATES: Mapping[str, tuple[str, ...]] = {
    "": TO_DO,
    **{str(state): (state,) for state in ReviewState if state is not ReviewState.WAITS},
    "all": tuple(ReviewState),
}


@dataclass(frozen=True, slots=True)
class ReviewFilters:
    """What stands in the address; "" is no wish. ``state`` is one of STATES."""

    project: str = ""
    product: str = ""
    locale: str = ""
    purpose: str = ""
    batch: str = ""
    state: str = ""
    seen: str = ""  # "changed": since this person looked
    view: str = ""  # "grid", or a list

    @classmethod
    def of(cls, values: Mapping[str, str]) -> ReviewFilters:
        """What is not known is no wish."""
        found = cls(**{field.name: values.get(field.name, "")[:100] for field in fields(cls)})
        return replace(
            found,
            state=found.state if found.state in STATES else "",
            seen="changed" if found.seen == "changed" else "",
            view="grid" if found.view == "grid" else "",
        )

    def query(self, **changes: str) -> str:
        """The query of an address, with its question mark; "" when there is no wish."""
        one = replace(self, **changes)
        wished = {field.name: getattr(one, field.name) for field in fields(one) if getattr(one, field.name)}
        return f"?{urlencode(wished)}" if wished else ""

    @property
    def kept(self) -> str:
        """The address that says the same, as a view keeps it."""
        return filters_of("review", self.query()[1:])

    @property
    def keepable(self) -> bool:
        """Something is chosen that a person may want to come back to."""
        return self.narrow or bool(self.state)

    @property
    def narrow(self) -> bool:
        """Something besides the state and the view is asked for."""
        return bool(self.project or self.product or self.locale or self.purpose or self.batch or self.seen)


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be chosen in each filter."""

    projects: list[tuple[str, str]]
    products: list[tuple[str, str]]
    locales: list[str]
    purposes: list[str]
    batches: list[tuple[str, str]]


def choices_for(user: User) -> Choices:
    """Bounded, however much there is: the newest."""
    projects = projects_of(user)
    newest = Task.objects.filter(project__in=projects).order_by("-pk")
    seen = list(newest.values_list("locale", "purpose")[:_LOOKED_AT])
    products = Product.objects.filter(project__in=projects).order_by("name", "pk")
    batches = Batch.objects.filter(project__in=projects).order_by("-pk").values_list("uuid", "name")
    return Choices(
        projects=list(projects.order_by("name").values_list("code", "name")),
        products=[(str(pk), name) for pk, name in products.values_list("pk", "name")[:CHOICES_MOST]],
        locales=sorted({locale for locale, _ in seen}),
        purposes=sorted({purpose for _, purpose in seen}),
        batches=[(str(uuid), name) for uuid, name in batches[:CHOICES_MOST]],
    )


def drafts_for(user: User, filters: ReviewFilters) -> QuerySet[LookedAt]:
    """The drafts that match, by product and then in the order in which they were asked for; any state of review."""
    found = with_seen(reviewable(projects_of(user)), user).filter(_wished(filters))
    if filters.seen:
        found = found.filter(changed_since_seen=True)
    return found.order_by("task__product_id", "task_id")


def in_state(found: QuerySet[LookedAt], state: str) -> QuerySet[LookedAt]:
    """Those in the chosen state of review; what waits is known without looking at the others."""
    if not state:
        return found.filter(to_review__isnull=False)
    return found.filter(review_state__in=STATES[state])


def _wished(filters: ReviewFilters) -> Q:
    wish = Q()
    if filters.project:
        wish &= Q(project__code=filters.project)
    if filters.product:
        wish &= Q(task__product=_number(filters.product))
    if filters.locale:
        wish &= Q(task__locale=filters.locale)
    if filters.purpose:
        wish &= Q(task__purpose=filters.purpose)
    if filters.batch:
        wish &= Q(task__references__batch__uuid=_uuid(filters.batch))
    return wish


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 19 else 0  # noqa: PLR2004 - what a bigint holds


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)
