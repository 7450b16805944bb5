"""Which drafts a person wants to see, as it stands in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from urllib.parse import urlencode
from uuid import UUID

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import User
from once_delivery.common.digits import whole_number
from once_delivery.ledger.models import Batch, Product
from once_delivery.review.finding import Wanted
from once_delivery.review.models import TO_DO, ReviewState, VisibleDraft
from once_delivery.web.services.saved_views import filters_of

CHOICES_MOST = 200
_LOOKED_AT = 2000  # drafts, the newest, whose products, locales and purposes are offered
SINCE: Mapping[str, Promise] = {"1": _("over a day"), "3": _("over 3 days"), "7": _("over a week")}
STATES: Mapping[str, tuple[str, ...]] = {
    "": tuple(map(str, TO_DO)),
    **{str(state): (str(state),) for state in ReviewState if state is not ReviewState.WAITS},
    "all": tuple(map(str, ReviewState)),
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
    since: str = ""  # one of SINCE: for so many days at least
    seen: str = ""  # "changed": since this person looked
    view: str = ""  # "grid", or a list

    @classmethod
    def of(cls, values: Mapping[str, str]) -> ReviewFilters:
        """What is not known is no wish."""
        found = cls(**{field.name: values.get(field.name, "")[:100] for field in fields(cls)})
        return replace(
            found,
            state=found.state if found.state in STATES else "",
            since=found.since if found.since in SINCE else "",
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
        return bool(
            self.project
            or self.product
            or self.locale
            or self.purpose
            or self.batch
            or self.since
            or self.seen
        )


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be chosen in each filter."""

    projects: list[tuple[str, str]]
    products: list[tuple[str, str]]
    locales: list[str]
    purposes: list[str]
    batches: list[tuple[str, str]]
    since: Sequence[tuple[str, Promise]] = tuple(SINCE.items())


def choices_for(user: User) -> Choices:
    """Bounded, however much there is: what the newest drafts are for, and the newest batches."""
    projects = projects_of(user)
    newest = (
        VisibleDraft.objects.filter(project__in=list(projects.values_list("pk", flat=True)))
        .order_by("-pk")
        .values_list("product_id", "locale", "purpose")[:_LOOKED_AT]
    )
    seen = set(newest)
    latest = sorted({product for product, _, _ in seen}, reverse=True)[:CHOICES_MOST]
    products = Product.objects.filter(pk__in=latest).order_by("name", "pk")
    batches = Batch.objects.filter(project__in=projects).order_by("-pk").values_list("uuid", "name")
    return Choices(
        projects=list(projects.order_by("name").values_list("code", "name")),
        products=[(str(pk), name) for pk, name in products.values_list("pk", "name")],
        locales=sorted({locale for _, locale, _ in seen}),
        purposes=sorted({purpose for _, _, purpose in seen}),
        batches=[(str(uuid), name) for uuid, name in batches[:CHOICES_MOST]],
    )


def wanted_by(user: User, filters: ReviewFilters, *, any_state: bool = False) -> Wanted:
    """The drafts of the person's projects that match, in the chosen state of review or in any."""
    projects = projects_of(user)
    if filters.project:
        projects = projects.filter(code=filters.project)
    return Wanted(
        project_ids=list(projects.values_list("pk", flat=True)),
        states=STATES["all" if any_state else filters.state],
        product_id=_number(filters.product) if filters.product else None,
        locale=filters.locale or None,
        purpose=filters.purpose or None,
        batch=_uuid(filters.batch) if filters.batch else None,
        since_before=timezone.now() - timedelta(days=int(filters.since)) if filters.since else None,
        changed_for=user.pk if filters.seen else None,
    )


def _number(text: str) -> int:
    return whole_number(text) or 0


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)
