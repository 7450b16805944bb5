"""Audits of a target: what was listed, and what was found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Value

from once_delivery.ledger.models import Task
from once_delivery.targets.models import Target
from once_delivery.ui.paging import Page, newest_first
from once_delivery.web.selectors.errands import ErrandNow, errands_now
from once_delivery.web.selectors.task import web_address
from once_delivery.web.wording import FINDINGS
from reconciliation.models import Audit, AuditScope, AuditStatus, Case, CaseStatus, Finding, FindingKind
from reconciliation.models.audits import FindingSpan

PAGE = 50
STATES = ("open", "explained", "over", "all")
# of a finding's evidence: by what it names the objects at the target
HOLDS = ("held", "result_ids")


@dataclass(frozen=True, slots=True)
class HeldThere:
    """One object of the evidence, as the target listed it."""

    result_id: str
    title: str
    status: str
    url: str


def held_there(finding: Finding) -> list[HeldThere]:
    """What the evidence says is there: as an audit listed it, else the result IDs that a look-up met."""
    listed = [one for one in finding.evidence.get("held") or [] if isinstance(one, dict)]
    return [
        HeldThere(
            str(one.get("result_id") or ""),
            str(one.get("title") or ""),
            str(one.get("status") or ""),
            web_address(str(one.get("url") or "")),
        )
        for one in listed
    ] or [HeldThere(str(one), "", "", "") for one in finding.evidence.get("result_ids") or []]


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding; ``case`` is the open one of its action."""

    finding: Finding
    case: Case | None

    @property
    def word(self) -> str:
        return str(FindingKind(self.finding.kind).label)

    @property
    def says(self) -> str:
        return str(FINDINGS[self.finding.kind])

    @property
    def held(self) -> list[HeldThere]:
        return held_there(self.finding)

    @property
    def more(self) -> list[tuple[str, str]]:
        """The rest of the evidence, by its own names."""
        return [(name, str(value)) for name, value in self.finding.evidence.items() if name not in HOLDS]

    @property
    def task(self) -> Task | None:
        return self.finding.action.task if self.finding.action else None


@dataclass(frozen=True, slots=True)
class AuditNow:
    """One audit with the findings that stood when it was concluded."""

    audit: Audit
    rows: list[FindingRow]
    page: Page[Finding]
    by_kind: list[tuple[str, str, int]]
    open_count: int
    errand: ErrandNow | None

    @property
    def kinds_there(self) -> bool:
        return any(many for _, _, many in self.by_kind)

    @property
    def count(self) -> dict[str, Any]:
        return dict(self.audit.counts)


def audits_page(target: Target, *, key: str) -> Page[Audit]:
    """All audits of a target, newest first."""
    found = Audit.objects.filter(target=target).select_related("run__requested_by")
    return newest_first(found, key=key, size=50)


def audit_errand(target: Target) -> ErrandNow | None:
    """The latest audit that was asked for."""
    return errands_now(target).get("audit")


def can_list_changes(target: Target) -> bool:
    """ "Changes alone" needs a whole list before."""
    return Audit.objects.filter(
        target=target, status=AuditStatus.COMPLETE, scope=AuditScope.EVERYTHING
    ).exists()


def standing_at(audit: Audit) -> QuerySet[Finding]:
    """What was so when this audit was concluded: found by then, and not over before it began."""
    then = FindingSpan(Value(audit.target_id), Value(audit.started_at), Value(audit.finished_at))
    # the span finds them by its index; the times say it to the microsecond
    found = Finding.objects.alias(
        span=FindingSpan(F("target"), F("found_at"), F("over_at")),
    ).filter(span__overlap=then, target_id=audit.target_id)
    if audit.finished_at is not None:
        found = found.filter(found_at__lte=audit.finished_at)
    return found.filter(Q(over_at=None) | Q(over_at__gt=audit.started_at))


def audit_now(audit: Audit, target: Target, *, kind: str, state: str, key: str) -> AuditNow:
    """One page of findings; a number of queries that does not grow."""
    standing = standing_at(audit)
    still_open = Count("pk", filter=Q(over_at=None, explained_at=None))
    counted = list(standing.values_list("kind").annotate(many=Count("pk"), still_open=still_open).order_by())
    counts = {kind: many for kind, many, _ in counted}
    found = filtered(standing, kind=kind, state=state)
    # first which, then what stands beside them: PostgreSQL must not join all of them to sort them
    page = newest_first(found.only("pk"), key=key, size=PAGE)
    shown = with_actions(Finding.objects.filter(pk__in=[one.pk for one in page.rows])).order_by("-pk")
    running = audit.status == AuditStatus.RUNNING
    return AuditNow(
        audit=audit,
        rows=rows_of(list(shown)),
        page=page,
        by_kind=[(str(one), str(one.label), counts.get(one, 0)) for one in FindingKind],
        open_count=sum(many for _, _, many in counted),
        errand=audit_errand(target) if running else None,
    )


def filtered(found: QuerySet[Finding], *, kind: str, state: str) -> QuerySet[Finding]:
    """By kind and by what became of it."""
    if kind in FindingKind.values:
        found = found.filter(kind=kind)
    if state == "open":
        return found.filter(over_at=None, explained_at=None)
    if state == "explained":
        return found.filter(explained_at__isnull=False)
    return found.filter(over_at__isnull=False) if state == "over" else found


def with_actions(found: QuerySet[Finding]) -> QuerySet[Finding]:
    """With what a line shows of the action."""
    return found.select_related("action__task__product", "action__task__input_version", "explained_by").defer(
        "action__payload", "action__task__input_version__content"
    )


def rows_of(found: list[Finding]) -> list[FindingRow]:
    """With the open case of each action: one query."""
    actions = [one.action_id for one in found if one.action_id]
    cases = {one.action_id: one for one in Case.objects.filter(action__in=actions, status=CaseStatus.OPEN)}
    return [FindingRow(one, cases.get(one.action_id) if one.action_id else None) for one in found]


def csv_rows(found: QuerySet[Finding]) -> Iterator[list[str]]:
    """The findings as rows of a file, a chunk at a time; the newest first."""
    yield [
        "finding",
        "kind",
        "task",
        "marker",
        "result_ids",
        "found_at",
        "over_at",
        "explained_by",
        "explanation",
    ]
    for one in with_actions(found).order_by("-pk").iterator(chunk_size=1000):
        yield [
            str(one.uuid),
            one.kind,
            str(one.action.task) if one.action else "",
            one.marker,
            " ".join(each.result_id for each in held_there(one)),
            _iso(one.found_at),
            _iso(one.over_at),
            one.explained_by.username if one.explained_by else "",
            one.explanation,
        ]


def _iso(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""
