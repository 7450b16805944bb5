"""What a person's browser sends as words may have characters that cannot be stored: they are left out, nothing breaks."""

from __future__ import annotations

import pytest

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from reconciliation.decisions import Decision
from reconciliation.models import Case, CaseEvent, Finding, FindingKind
from reconciliation.services.approvals import answer, propose
from reconciliation.services.decide_case import decide_case
from reconciliation.services.explain_finding import explain_finding
from reconciliation.services.work_on_case import comment, hand_over, snooze
from tests.builders import a_user
from tests.reconciliation.given import again, later

pytestmark = pytest.mark.django_db(transaction=True)
TYPED = "no\x00thing\ud800 more"
KEPT = "nothing more"


def said(case: Case) -> list[str]:
    return [one for one in CaseEvent.objects.filter(case=case).values_list("text", flat=True) if one]


def test_words_with_a_case(case: Case, ops: User) -> None:
    comment(case=case, user=ops, text=TYPED)
    snooze(case=case, user=ops, until=later(), reason=TYPED)
    hand_over(case=case, to=a_user("deputy"), user=ops, words=TYPED)
    approval = propose(
        case=case, decision=Decision.ABSENT, user=ops, words=TYPED, result_id="\x00" + "7" * 400
    )
    answer(approval=approval, user=a_user("deputy"), agree=False, words=TYPED)
    decide_case(case=again(case), decision=Decision.GIVE_UP, user=ops, words=TYPED)
    approval.refresh_from_db()
    assert (approval.words, approval.answer_words) == (KEPT, KEPT)
    assert set(said(case)) == {KEPT}


@pytest.mark.parametrize("text", ["\x00", " \x00 "])
def test_no_words_at_all(case: Case, ops: User, text: str) -> None:
    with pytest.raises(DomainError, match="empty-comment"):
        comment(case=case, user=ops, text=text)


def test_words_with_a_finding(case: Case, ops: User) -> None:
    finding = Finding.objects.create(
        project=case.project,
        target=case.action.target,
        action=case.action,
        kind=FindingKind.CHANGED,
        marker=case.action.marker,
        found_at=database_now(),
    )
    with pytest.raises(DomainError, match="invalid-input"):
        explain_finding(finding=finding, user=ops, text="\x00")
    assert explain_finding(finding=finding, user=ops, text=TYPED).explanation == KEPT
