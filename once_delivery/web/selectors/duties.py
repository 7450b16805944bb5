"""What waits for a person because of their roles, the oldest first: drafts, cases, questions, targets, messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q
from django.utils import timezone

from billing.people import KEEPERS
from once_delivery.accounts.access import roles_of
from once_delivery.accounts.clients import Answering, answering
from once_delivery.accounts.models import Role, User
from once_delivery.ledger.models import Restoration
from once_delivery.ledger.restoring import open_restorations
from once_delivery.notices.models import Message
from once_delivery.review.models import Asset, Revocation, VisibleDraft
from once_delivery.review.people import REVIEWERS
from once_delivery.review.revocations import REVOKED, waiting_revocations
from once_delivery.review.waiting import Waiting, oldest_waiting, waiting_for_review
from once_delivery.targets.models import Target
from once_delivery.targets.probing.findings import Claim
from once_delivery.targets.probing.wording import CLAIMS
from once_delivery.web.selectors.agreements import Agreement, agreements_of, count_agreements
from once_delivery.web.selectors.asked import asked_of
from once_delivery.web.selectors.cases import cases_of
from reconciliation.answering import waiting_for
from reconciliation.decisions import DECIDERS
from reconciliation.models import Approval, Case, CaseStatus

SHOWN = 5
ASKED_MOST = 1000  # counting further tells a person nothing more
WATCHERS = frozenset({Role.OPS_OWNER, Role.ADMIN})


@dataclass(frozen=True, slots=True)
class CasesWaiting:
    """Open cases of the projects where the person decides: theirs first, what is over its time in front."""

    mine: int = 0
    over: int = 0  # of mine
    others: int = 0
    oldest: datetime | None = None  # of mine
    rows: Sequence[Case] = ()


@dataclass(frozen=True, slots=True)
class Refuted:
    """A target of which something stands refuted, and what, in words."""

    target: Target
    claims: list[str]


@dataclass(frozen=True, slots=True)
class Duties:
    """None where a role has no such duty."""

    drafts: Waiting | None
    oldest_drafts: Sequence[VisibleDraft]
    cases: CasesWaiting | None
    asked: int
    questions: Sequence[Approval]
    taken_back: Sequence[Revocation]  # acceptances, for the client's answer
    agreements: Sequence[Agreement]  # of finance: what somebody else proposed
    to_agree: int
    assets: int | None
    refuted: Sequence[Refuted]
    unsent: Sequence[Message]
    restored: Sequence[Restoration]  # from a backup, and not yet ended

    @property
    def first(self) -> str:
        """The one thing to do next: its name, "" when nothing waits."""
        order = (
            ("over", self.cases is not None and self.cases.over),
            ("asked", self.asked),
            ("to_agree", self.to_agree),
            ("cases", self.cases is not None and self.cases.mine),
            ("drafts", self.drafts is not None and self.drafts.count),
            ("refuted", self.refuted),
            ("unsent", self.unsent),
        )
        return next((name for name, waits in order if waits), "")


def duties_of(user: User) -> Duties:
    """Read what waits; the number of queries depends on the roles alone."""
    roles = roles_of(user)
    reviewed, watched = _with(roles, REVIEWERS), _with(roles, WATCHERS)
    paid, administered = _with(roles, KEEPERS), _with(roles, {Role.ADMIN})
    decided = _with(roles, DECIDERS)
    where = answering(user, roles)
    asked = asked_of(user, where, most=ASKED_MOST)
    return Duties(
        drafts=waiting_for_review(reviewed) if reviewed else None,
        oldest_drafts=oldest_waiting(reviewed, many=SHOWN) if reviewed else (),
        cases=_cases(user, decided) if decided else None,
        asked=asked,
        questions=_questions(user, where) if asked else (),
        taken_back=_taken_back(user, where) if asked else (),
        agreements=agreements_of(user, roles, most=SHOWN) if paid else (),
        to_agree=count_agreements(user, roles, most=ASKED_MOST) if paid else 0,
        assets=_assets(paid) if paid else None,
        refuted=_refuted(watched) if watched else (),
        unsent=_unsent(administered) if administered else (),
        restored=open_restorations() if watched else (),
    )


def _with(roles: Mapping[int, str], wanted: frozenset[Role] | set[Role]) -> list[int]:
    return [project_id for project_id, role in roles.items() if role in wanted]


def _cases(user: User, project_ids: Sequence[int]) -> CasesWaiting:
    now = timezone.now()
    visible = Q(snoozed_until__isnull=True) | Q(snoozed_until__lte=now)
    waiting = Case.objects.filter(visible, project__in=project_ids, status=CaseStatus.OPEN)
    own = Q(owner=user)
    counted = waiting.aggregate(
        mine=Count("pk", filter=own),
        over=Count("pk", filter=own & Q(due_at__lte=now, paused_at__isnull=True)),
        others=Count("pk", filter=~own),
        oldest=Min("opened_at", filter=own),
    )
    # theirs first: two questions that an index answers in place of one that sorts all of them;
    # and first which, then what stands beside them
    ids = waiting.order_by("due_at", "pk").values_list("pk", flat=True)
    mine = list(ids.filter(own)[:SHOWN])
    others = list(ids.exclude(own)[: SHOWN - len(mine)]) if len(mine) < SHOWN else []
    shown = cases_of(user).in_bulk(mine + others)
    rows = [shown[pk] for pk in mine + others if pk in shown]
    return CasesWaiting(
        mine=counted["mine"],
        over=counted["over"],
        others=counted["others"],
        oldest=counted["oldest"],
        rows=rows,
    )


def _questions(user: User, where: Answering) -> list[Approval]:
    return list(
        waiting_for(user, where)
        .select_related("project", "case__action__task__product", "case__action__task__input_version")
        .defer("case__action__payload", "case__action__task__input_version__content")
        .order_by("proposed_at")[:SHOWN]
    )


def _taken_back(user: User, where: Answering) -> list[Revocation]:
    return list(
        waiting_revocations(user, where)
        .select_related("project", "asset__task__product", "asset__task__input_version")
        .defer("asset__task__input_version__content")
        .order_by("asked_at")[:SHOWN]
    )


def _assets(project_ids: Sequence[int]) -> int:
    """Assets accepted since the month began, in the person's time zone, and not taken back for good."""
    begin = timezone.localtime().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return Asset.objects.filter(~REVOKED, project__in=project_ids, accepted_at__gte=begin).count()


def _refuted(project_ids: Sequence[int]) -> list[Refuted]:
    found = (
        Target.objects.filter(project__in=project_ids)
        .exclude(refuted={})
        .select_related("project")
        .defer("declaration", "credentials_sealed")
    )
    return [
        Refuted(one, [str(CLAIMS[Claim(name)]) for name in one.refuted])
        for one in found.order_by("name")[:SHOWN]
    ]


def _unsent(project_ids: Sequence[int]) -> list[Message]:
    found = Message.objects.filter(project__in=project_ids, given_up_at__isnull=False)
    return list(
        found.select_related("project")
        .only("event", "address", "given_up_at", "error", "project__name")
        .order_by("given_up_at")[:SHOWN]
    )
