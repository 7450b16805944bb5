"""The page of one case, as it is or as an answer to something that could not be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest
from once_delivery.web.fetch import case_of
from once_delivery.web.page_keys import CASE, CASE_READING
from once_delivery.web.selectors.case import evidence_of
from once_delivery.web.selectors.case_events import done_since
from once_delivery.web.selectors.deciding import deciding_of
from once_delivery.web.selectors.finance.beside import at_risk_of
from reconciliation.models import Case
from reconciliation.services.work_on_case import SNOOZE_LONGEST

CONFLICT, UNPROCESSABLE = 409, 422
CONFLICTS = frozenset(
    {
        "case-closed",
        "case-changed",
        "changed-meanwhile",
        "decision-does-not-fit",
        "approval-needed",
        "approval-asked",
        "approval-over",
        "nothing-to-approve",
        "nothing-to-undo",
        "too-late-to-take-back",
        "proposer-gone",
        "needs-second-person",
    }
)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why something was not done, and what the person had typed."""

    error: DomainError
    typed: Mapping[str, str]
    seen: int = 0

    @property
    def is_conflict(self) -> bool:
        return self.error.code in CONFLICTS


def show_case(request: MemberRequest, case: Case, *, trouble: Trouble | None = None) -> HttpResponse:
    """The page; after trouble with what was typed, what is wrong, and what others did meanwhile."""
    if trouble is not None:
        case = case_of(request.user, case.uuid)  # as it is now
    now = timezone.localtime()
    conflict = trouble is not None and trouble.is_conflict
    deciding = deciding_of(case, request.user)
    context = {
        "case": case,
        "project": case.project,
        "evidence": evidence_of(case, before=request.GET.get("before", "")),
        "deciding": deciding,
        "at_risk": at_risk_of([case.action.task_id]).get(case.action.task_id),
        "trouble": trouble,
        "typed": trouble.typed if trouble else {},
        "meanwhile": done_since(case, trouble.seen) if trouble and conflict else [],
        "put_off": {
            "earliest": now + timedelta(minutes=5),
            "usual": (now + timedelta(hours=4)).replace(minute=0),
            "latest": now + SNOOZE_LONGEST - timedelta(minutes=5),
        },
        "keys": CASE if deciding.choices else CASE_READING,
    }
    status = 200 if trouble is None else CONFLICT if conflict else UNPROCESSABLE
    return render(request, "web/case.html", context, status=status)
