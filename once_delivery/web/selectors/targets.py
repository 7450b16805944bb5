"""The targets of my projects: how each is protected, whether it answers, what stands refuted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import timezone

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import User
from once_delivery.common.digits import whole_number
from once_delivery.ledger.models import Counted, Gate
from once_delivery.ledger.models.counted import ATTEMPTS
from once_delivery.targets.base import Outcome
from once_delivery.targets.models import Probe, Target
from once_delivery.targets.probing.findings import Claim
from once_delivery.targets.probing.wording import CLAIMS
from once_delivery.web.wording import OUTCOMES, guard_words
from reconciliation.models import Audit

PAGE = 100
WEEK = timedelta(days=7)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
GOOD = (Outcome.DONE, Outcome.ACCEPTED)


@dataclass(frozen=True, slots=True)
class Breaker:
    """Whether requests are held back: ``until`` None when not. ``told``: the target itself asked to wait."""

    until: datetime | None = None
    told: bool = False
    failures: int = 0

    @property
    def state(self) -> str:
        """A state whose colour and icon it has."""
        return "refused" if self.until and not self.told else "uncertain" if self.until else "confirmed"


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Answers to requests that could have an effect, by outcome."""

    by_outcome: Mapping[str, int] = field(default_factory=dict)
    last_success: datetime | None = None

    @property
    def total(self) -> int:
        return sum(self.by_outcome.values())

    @property
    def rows(self) -> list[tuple[str, str, int]]:
        """Code, word and count, in the order in which outcomes are defined."""
        return [
            (str(one), str(OUTCOMES[one]), self.by_outcome[one]) for one in Outcome if one in self.by_outcome
        ]


@dataclass(frozen=True, slots=True)
class TargetRow:
    """One line of the list."""

    target: Target
    guard: str
    breaker: Breaker
    last_success: datetime | None
    audited_at: datetime | None
    probed_at: datetime | None

    @property
    def host(self) -> str:
        return host_of(self.target)

    @property
    def refuted(self) -> list[str]:
        """The claims that stand refuted, in words."""
        return [str(CLAIMS[Claim(name)]) for name in self.target.refuted]


@dataclass(frozen=True, slots=True)
class TargetPage:
    rows: list[TargetRow]
    next_key: str
    first: bool
    refuted: int
    held: int


def targets_of(user: User) -> QuerySet[Target]:
    """All targets of the person's projects; those that a drill has made for itself are the drill's."""
    return (
        Target.objects.filter(project__in=projects_of(user), of_drill=False)
        .select_related("project")
        .defer("declaration", "credentials_sealed")
    )


def target_page(user: User, *, project_code: str, key: str) -> TargetPage:
    """One page by project and name; ``key`` is the ID after which it begins."""
    found = targets_of(user).order_by("pk")
    if project_code:
        found = found.filter(project__code=project_code)
    after = whole_number(key)
    if after is not None:
        found = found.filter(pk__gt=after)
    page = list(
        found.annotate(
            audited_at=_latest(Audit.objects, "finished_at"), probed_at=_latest(Probe.objects, "finished_at")
        )[: PAGE + 1]
    )
    shown = page[:PAGE]
    ids = [one.pk for one in shown]
    gates, successes = breakers_of(ids), _successes(ids)
    rows = [
        TargetRow(
            target=one,
            guard=guard_words(str(one.profile_data.get("guard", "")))[0],
            breaker=gates.get(one.pk, Breaker()),
            last_success=successes.get(one.pk),
            audited_at=one.audited_at,
            probed_at=one.probed_at,
        )
        for one in shown
    ]
    return TargetPage(
        rows=rows,
        next_key=str(shown[-1].pk) if len(page) > PAGE else "",
        first=after is None,
        refuted=sum(bool(one.target.refuted) for one in rows),
        held=sum(one.breaker.until is not None for one in rows),
    )


def _latest(objects: object, moment: str) -> Subquery:
    manager = objects.filter(target=OuterRef("pk"), finished_at__isnull=False)  # type: ignore[attr-defined]
    return Subquery(manager.order_by(f"-{moment}").values(moment)[:1])


def breakers_of(target_ids: Iterable[int]) -> dict[int, Breaker]:
    """What the gates say now."""
    now = timezone.now()
    found = {}
    for gate in Gate.objects.filter(target__in=list(target_ids)):
        told = gate.not_before is not None and gate.not_before > now
        opened = gate.open_until is not None and gate.open_until > now
        until = max((one for one in (gate.not_before, gate.open_until) if one and one > now), default=None)
        found[gate.target_id] = Breaker(until, told=told and not opened, failures=gate.failures)
    return found


def _successes(target_ids: list[int]) -> dict[int, datetime]:
    """The latest answer with a result, within a week, by target."""
    rows = (
        _answers(target_ids, WEEK)
        .filter(label__in=GOOD)
        .values_list("target_id")
        .annotate(latest=Max("latest"))
        .order_by()
    )
    return {target_id: latest for target_id, latest in rows if target_id is not None and latest is not None}


def outcomes_of(target: Target, within: timedelta) -> Outcomes:
    """The answers of the last days at one target, by whole hours."""
    rows = (
        _answers([target.pk], within)
        .values_list("label")
        .annotate(how_many=Sum("many"), last=Max("latest"))
        .order_by()
    )
    found = list(rows)
    return Outcomes(
        {outcome: many for outcome, many, _ in found},
        max((last for outcome, _, last in found if outcome in GOOD and last), default=None),
    )


def _answers(target_ids: list[int], within: timedelta) -> QuerySet[Counted]:
    """What was counted at these targets, gathered or not."""
    since = timezone.now() - within - HOUR
    return Counted.objects.filter(
        Q(gathered=True, target__in=target_ids, hour__gt=since)
        | Q(gathered=False, target__in=target_ids, hour__gt=since),
        name=ATTEMPTS,
    )


def host_of(target: Target) -> str:
    """The name of the machine, "–" for kinds without an address."""
    try:
        return urlsplit(target.base_url).netloc.rpartition("@")[2] or "–"
    except ValueError:
        return "–"
